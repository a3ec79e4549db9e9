import { AwsV4Signer } from 'aws4fetch';
import type { S3Credentials } from './s3-credentials.ts';

/** Checksum of an empty body. */
export const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface RequestToSign {
  readonly method: string;
  readonly url: URL;
  /** SHA-256 of the body in hexadecimal; the server compares it with what it gets. */
  readonly sha256: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

interface SignerOptions extends Pick<S3Credentials, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'> {
  readonly region: string;
  /** Time of the signature, in milliseconds. */
  readonly now: number;
}

/** Returns the headers of a request for S3, signed by AWS's Signature Version 4. The body's checksum is part of what is signed. */
export async function signedHeaders(
  { method, url, sha256, headers = {} }: RequestToSign,
  { accessKeyId, secretAccessKey, sessionToken, region, now }: SignerOptions,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: 's3',
    region,
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    // `range` and the length are signed too, as in AWS's own examples.
    allHeaders: true,
  });
  return Object.fromEntries((await signer.sign()).headers);
}
