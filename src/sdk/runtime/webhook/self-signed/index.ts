/**
 * Certificates for webhooks without cert-manager. The operator creates the certificates, stores them in one Secret that all replicas share,
 * and renews them before they expire. It makes them trusted in the webhook configurations and CustomResourceDefinitions that refer to the
 * operator's Service. This module is loaded only by operators that create their certificate.
 */
export { startSelfSigned } from './start-self-signed.ts';
