/**
 * `op-sdk rbac audit`: what an operator asked the API server for while its tests ran, beside what its roles grant. A control plane of
 * its own writes the audit log; the tests join it.
 */
export { judgeAudit, type AuditReport, type Forbidden } from './judge-audit.ts';
export { runAudit } from './run-audit.ts';
