import type { CertificateAuthority, KeyPair, Validity } from '../x509/certificate-authority.ts';

/** Settings of an authority. */
export interface CertificateAuthorityOptions {
  /** Certificate and key of an authority that exists, such as those in a Secret. Default: a new one is made. */
  readonly pair?: KeyPair | undefined;
  /** Time span in which a new certificate is valid. Default: one year from now. */
  readonly validity?: Validity | undefined;
}

/**
 * Returns an authority that signs certificates for what an operator runs, such as the members of a database. A new one has an ECDSA key on
 * the curve P-256, and signs itself. The code that signs is loaded by the first call.
 *
 * @param commonName name of the authority in the certificates that it signs
 * @throws Error if the certificate or the key of `pair` cannot be read
 *
 * @example
 * const authority = await certificateAuthority('db', { pair: found });
 * const { certificate, key } = authority.issue({ commonName: 'db', usage: 'server', dnsNames: ['db.default.svc'] });
 */
export async function certificateAuthority(
  commonName: string,
  { pair, validity }: CertificateAuthorityOptions = {},
): Promise<CertificateAuthority> {
  const { createCertificateAuthority, restoreCertificateAuthority } =
    await import('../x509/certificate-authority.ts');
  return pair === undefined
    ? createCertificateAuthority(commonName, validity)
    : restoreCertificateAuthority(commonName, pair);
}
