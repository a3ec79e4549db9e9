/**
 * `op-sdk doctor`: looks at a project, this machine and the cluster, and says what is missing or wrong and how to mend it.
 * One check a file, in the order of `checks.ts`; a new way to fail gets a new check. It reads and never writes.
 */
export { diagnose, type CheckResult } from './diagnose.ts';
export type { DoctorWorld } from './facts.ts';
