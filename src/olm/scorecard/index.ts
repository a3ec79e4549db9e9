/**
 * Scorecard's tests as Pods on a cluster.
 */
export { bundleArchive } from './bundle-archive.ts';
export { deleteCommand, openTestRun, type TestRun } from './test-run.ts';
