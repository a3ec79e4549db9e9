import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyPair } from '../../../x509/certificate-authority.ts';

/** The certificates of an operator's webhooks, as all replicas share them. */
export interface WebhookCertificates {
  /** Certificate and key that the server presents. */
  readonly server: KeyPair;
  /** Has signed the server's certificate. */
  readonly authority: KeyPair;
  /** Will sign the next one: to be trusted by everybody before. */
  readonly next?: KeyPair | undefined;
  /** The certificate of the authority before: trusted until every replica shows a certificate of the new one. */
  readonly former?: string | undefined;
}

/** Keys of the Secret. `tls.crt`, `tls.key` and `ca.crt` are those that other tools know. */
const keys = {
  serverCertificate: 'tls.crt',
  serverKey: 'tls.key',
  trusted: 'ca.crt',
  authorityCertificate: 'authority.crt',
  authorityKey: 'authority.key',
  nextCertificate: 'next-authority.crt',
  nextKey: 'next-authority.key',
  formerCertificate: 'former-authority.crt',
} as const;

/** Base64 by key, as in a Secret. */
export type SecretData = Readonly<Record<string, string>>;

/** Every authority that clients have to trust, PEM. */
export function trustedBy({ authority, next, former }: WebhookCertificates): string {
  return [authority.certificate, next?.certificate, former].filter((pem) => pem !== undefined).join('');
}

/** As the Secret keeps them. */
export function toSecretData(certificates: WebhookCertificates): Record<string, string> {
  const { server, authority, next, former } = certificates;
  const texts: Record<string, string | undefined> = {
    [keys.serverCertificate]: server.certificate,
    [keys.serverKey]: server.key,
    [keys.trusted]: trustedBy(certificates),
    [keys.authorityCertificate]: authority.certificate,
    [keys.authorityKey]: authority.key,
    [keys.nextCertificate]: next?.certificate,
    [keys.nextKey]: next?.key,
    [keys.formerCertificate]: former,
  };
  const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}

/**
 * Reads them back.
 *
 * @returns why they cannot be used, for the log: somebody may have changed the Secret
 */
export function fromSecretData(data: SecretData): WebhookCertificates | { readonly problem: string } {
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const pair = (certificate: string, key: string): KeyPair => ({
    certificate: text(certificate),
    key: text(key),
  });
  const server = pair(keys.serverCertificate, keys.serverKey);
  const authority = pair(keys.authorityCertificate, keys.authorityKey);
  const next =
    data[keys.nextCertificate] === undefined ? undefined : pair(keys.nextCertificate, keys.nextKey);
  const former = data[keys.formerCertificate] === undefined ? undefined : text(keys.formerCertificate);
  try {
    for (const { certificate, key } of [server, authority, ...(next === undefined ? [] : [next])]) {
      if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)))
        return { problem: 'a key does not belong to its certificate' };
    }
    if (former !== undefined) new X509Certificate(former);
    if (!new X509Certificate(server.certificate).verify(new X509Certificate(authority.certificate).publicKey))
      return { problem: 'the certificate of the server is not signed by the authority' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  return { server, authority, next, former };
}
