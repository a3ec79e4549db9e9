/**
 * Certificates for webhooks without cert-manager: made, kept in one Secret that all replicas share, renewed before they expire, and trusted by the
 * configurations and CustomResourceDefinitions that name the operator's Service. Loaded by operators that make theirs.
 */
export { startSelfSigned } from './start-self-signed.ts';
