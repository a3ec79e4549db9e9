/**
 * Certificates for webhooks without cert-manager: created by the operator, stored in one Secret that all replicas share, renewed before
 * they expire, and trusted by the configurations and CustomResourceDefinitions that refer to the operator's Service. Loaded only by
 * operators that create their certificate.
 */
export { startSelfSigned } from './start-self-signed.ts';
