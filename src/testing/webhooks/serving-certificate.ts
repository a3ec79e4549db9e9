import { mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { createCertificateAuthority } from '../../sdk/x509/certificate-authority.ts';
import { writingTo } from '../writing-to.ts';

/** Files of a certificate for webhooks, in the form that `createManager` and the flag --webhook-cert-path accept. */
export interface ServingCertificate {
  /** Absolute path of the folder; only its owner can read it. */
  readonly folder: string;
  /** Path of the certificate file `tls.crt` in the folder. */
  readonly certificate: string;
  /** Path of the key file `tls.key` in the folder. */
  readonly key: string;
}

/**
 * Creates a certificate authority, and a serving certificate that it signs. The serving certificate is for a host and 127.0.0.1, and is
 * valid for a year. Its key is written to a folder; the key of the authority is not stored.
 * @returns paths of the written files, and the certificate of the authority in PEM
 * @throws OpSdkError io/cannot-write
 */
export async function makeServingCertificate(
  folder: string,
  host: string,
): Promise<{ readonly files: ServingCertificate; readonly caCertificate: string }> {
  const authority = createCertificateAuthority('op-sdk-webhooks-ca');
  const loopback = ['127.0.0.1', '::1'];
  const pair = authority.issue({
    commonName: 'op-sdk-webhooks',
    usage: 'server',
    dnsNames: [...new Set(isIP(host) === 0 ? ['localhost', host] : ['localhost'])],
    ipAddresses: [...new Set(isIP(host) === 0 ? loopback : [...loopback, host])],
  });
  const files: ServingCertificate = { folder, certificate: 'tls.crt', key: 'tls.key' };
  await writingTo(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, files.certificate), pair.certificate, { mode: 0o600 });
    await writeFile(join(folder, files.key), pair.key, { mode: 0o600 });
  });
  return { files, caCertificate: authority.certificate };
}
