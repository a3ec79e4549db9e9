/** Certificates of the servers of an operator, and how they are renewed while it runs. Loaded when HTTPS is served. */
export {
  type CertificateFiles,
  watchCertificate,
  type CertificatePurpose,
  type WatchedCertificate,
} from './watch-certificate.ts';
