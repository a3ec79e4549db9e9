/** A certificate and its key as files, such as those of a mounted Secret of cert-manager. */
export interface CertificateFiles {
  /** The folder. */
  readonly folder: string;
  /** The certificate in it, PEM, with the intermediate ones behind it. Default: `tls.crt`. */
  readonly certificate?: string | undefined;
  /** The private key in it, PEM. Default: `tls.key`. */
  readonly key?: string | undefined;
}
