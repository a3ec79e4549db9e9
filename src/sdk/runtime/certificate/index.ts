/** Certificates of the servers of an operator, and their renewal at run time. Loaded only if HTTPS is served. */
export {
  type CertificateFiles,
  watchCertificate,
  type CertificatePurpose,
  type WatchedCertificate,
} from './watch-certificate.ts';
