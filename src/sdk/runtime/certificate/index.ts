/** Loads the certificates of an operator's servers, and renews them at run time. This module is loaded only if HTTPS is served. */
export {
  type CertificateFiles,
  watchCertificate,
  type CertificatePurpose,
  type WatchedCertificate,
} from './watch-certificate.ts';
