/**
 * OLM on a cluster, v0 and v1: which of them is there, how it is installed and removed; an operator's bundle installed by it from a
 * catalogue of its own, and why it does not come up; scorecard's tests as Pods.
 */
export { findOlms, type InstalledOlm } from './status/find-olms.ts';
export { nameOf, knownObjects, olmState, stateFindings, type OlmState } from './status/olm-status.ts';
export { checkRelease, releaseMajors, type OlmRelease } from './release/check-release.ts';
export { downloadManifests, isManifestUrl, type DownloadRelease } from './release/download-release.ts';
export { olmFacts, olmMajors, type OlmMajor } from './release/olm-facts.ts';
export { installOlm } from './install/install-olm.ts';
export { uninstallOlm } from './uninstall/uninstall-olm.ts';
export { CatalogSource, ClusterCatalog, ClusterExtension, Subscription } from './olm-kinds.ts';
