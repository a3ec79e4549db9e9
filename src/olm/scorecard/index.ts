/** Runs the tests of a scorecard configuration as Pods on a cluster. */
export { bundleArchive } from './test-pod.ts';
export { deleteCommand, openTestRun, type TestRun } from './test-run.ts';
