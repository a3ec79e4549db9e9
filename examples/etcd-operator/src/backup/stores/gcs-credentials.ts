import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { invalidSecret, type SecretData } from './secret-files.ts';

/** Keys of a Secret that are read: a service account's key file, or a token that somebody else renews. */
export const gcsSecretKeys = ['credentials.json', 'access-token'] as const;

/** Right that tokens are asked for: reading and writing objects, and no more. */
const scope = 'https://www.googleapis.com/auth/devstorage.read_write';

/** Key of a service account of Google Cloud. */
export interface ServiceAccountKey {
  readonly email: string;
  readonly keyId: string | undefined;
  readonly privateKey: KeyObject;
  /** Address that exchanges signed requests for tokens. */
  readonly tokenUri: string;
}

export type GcsCredentials = { readonly token: string } | { readonly account: ServiceAccountKey };

/**
 * Reads credentials from a Secret with the key file of a service account as `credentials.json`, or a token as `access-token`.
 *
 * @throws StoreError `CredentialsInvalid`
 */
export function gcsCredentials(secret: SecretData): GcsCredentials {
  const token = secret['access-token']?.trim();
  if (token !== undefined && token !== '') return { token };
  const text = secret['credentials.json'];
  if (text === undefined)
    throw invalidSecret('the Secret: expected the key `credentials.json` or `access-token`, got neither');
  const subject = 'key `credentials.json` of the Secret';
  const fields = fieldsOf(text);
  if (fields === undefined)
    throw invalidSecret(`${subject}: expected the JSON key file of a service account`);
  if (fields['type'] !== 'service_account')
    throw invalidSecret(
      `${subject}: expected a key of type service_account, got ${JSON.stringify(fields['type'])}`,
    );
  const names = ['client_email', 'private_key', 'token_uri'] as const;
  const missing = names.filter((name) => typeof fields[name] !== 'string' || fields[name] === '');
  if (missing.length > 0) throw invalidSecret(`${subject}: ${missing.join(', ')} missing`);
  const [email, pem, tokenUri] = names.map((name) => String(fields[name])) as [string, string, string];
  if (!/^https?:\/\//.test(tokenUri) || !URL.canParse(tokenUri))
    throw invalidSecret(`${subject}: expected a URL in token_uri`);
  const keyId = fields['private_key_id'];
  return {
    account: {
      email,
      tokenUri,
      keyId: typeof keyId === 'string' ? keyId : undefined,
      privateKey: rsaKey(pem, subject),
    },
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the key. Errors of OpenSSL are not passed on: they may quote the text. */
function rsaKey(pem: string, subject: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // Reported below.
  }
  if (key?.asymmetricKeyType !== 'rsa')
    throw invalidSecret(`${subject}: expected an RSA key in PEM in private_key`);
  return key;
}

/**
 * Returns the signed request for a token: a JSON Web Token by which the service account asks for one on its own behalf.
 *
 * @param now time in milliseconds; the request is good for an hour from then
 */
export function tokenAssertion(
  { email, keyId, privateKey, tokenUri }: ServiceAccountKey,
  now: number,
): string {
  const issuedAt = Math.floor(now / 1000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = part({ alg: 'RS256', typ: 'JWT', kid: keyId });
  const claims = part({ iss: email, scope, aud: tokenUri, iat: issuedAt, exp: issuedAt + 3600 });
  const signature = sign('RSA-SHA256', Buffer.from(`${header}.${claims}`), privateKey).toString('base64url');
  return `${header}.${claims}.${signature}`;
}
