/**
 * OLM on a cluster, v0 and v1: which of them is there, how it is installed and removed; an operator's bundle installed by it from a
 * catalogue of its own, and why it does not come up; scorecard's tests as Pods.
 */
export { CatalogSource, ClusterCatalog, ClusterExtension, Subscription } from './olm-kinds.ts';
export { bundleArchive } from './scorecard/bundle-archive.ts';
export { deleteCommand, openTestRun, type TestRun } from './scorecard/test-run.ts';
