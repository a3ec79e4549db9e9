/**
 * The operator's own identity on a cluster, for operators that run outside of it: its ServiceAccount with the roles of the project, and
 * a kubeconfig with a token of that account. What is not permitted in the cluster is not permitted here either.
 */
export { bringAccess, type BringAccessRequest } from './bring-access.ts';
export { accountUser, operatorAccess, type OperatorAccess } from './operator-access.ts';
export { OperatorIdentity } from './operator-identity.ts';
