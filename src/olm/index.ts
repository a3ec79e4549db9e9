/**
 * OLM on a cluster, v0 and v1: which of them is there, how it is installed and removed; an operator's bundle installed by it from a
 * catalogue of its own, and why it does not come up; scorecard's tests as Pods.
 */
export { customResourcesOf } from './cleanup/custom-resources.ts';
export { packageObjects, type PackageObjects } from './cleanup/package-objects.ts';
export { placedObject } from './placed-object.ts';
export { checkRunV0, checkRunV1 } from './run/check-run.ts';
export { checkUpgrade, isOwnCatalog } from './run/check-upgrade.ts';
export { parseInstallMode, type InstallMode } from './run/install-mode.ts';
export { installedByV0, installedByV1 } from './run/installed-operators.ts';
export {
  catalogSource,
  objectsOfV0,
  objectsOfV1,
  subscribingObjects,
  type RunTarget,
} from './run/run-objects.ts';
export { runChannel, runNames, type RunNames } from './run/run-names.ts';
export { catalogParts } from './run/pod/catalog-config-maps.ts';
export {
  defaultDecompressionImage,
  defaultIndexImage,
  injectedBundle,
  servedByPod,
  type InjectedBundle,
  type PodCatalog,
} from './run/pod/pod-catalog.ts';
export { serveByPod } from './run/pod/serve-by-pod.ts';
export { type Installation } from './run/installation.ts';
export { waitInstalled } from './run/wait-installed.ts';
export { tooOldForBundle } from './run/min-kube-version.ts';
export { isInstalled } from './run/judge-installation.ts';
export { checkSameBundle, unfinishedV0, unfinishedV1, type UnfinishedRun } from './run/unfinished-run.ts';
export { findOlms, servedOlms, type InstalledOlm } from './status/find-olms.ts';
export { nameOf, knownObjects, olmState, stateFindings, type OlmState } from './status/olm-status.ts';
export { checkRelease, releaseMajors, type OlmRelease } from './release/check-release.ts';
export { downloadManifests, isManifestUrl, type DownloadRelease } from './release/download-release.ts';
export { checkDigests, unverifiedRelease, type DownloadedFile } from './release/release-digests.ts';
export { olmFacts } from './release/olm-facts.ts';
export { installOlm } from './install/install-olm.ts';
export { uninstallOlm } from './uninstall/uninstall-olm.ts';
export { bundleArchive } from './scorecard/bundle-archive.ts';
export { deleteCommand, openTestRun, type TestRun } from './scorecard/test-run.ts';
