/**
 * Installs an operator's bundle with OLM v0 or v1, from a catalogue created for this purpose, and removes the operator again. Waits until
 * the operator runs, or explains why it does not. `pod/` serves the catalogue, `cleanup/` removes a package.
 */
export { olmRunCodes } from './codes.ts';
export { customResourcesOf, isAuthReaderOf } from './cleanup/auth-readers.ts';
export { packageObjects, type PackageObjects } from './cleanup/package-objects.ts';
export {
  placedObject,
  runChannel,
  runNames,
  type RunNames,
  ClusterCatalog,
  ClusterServiceVersion,
  CatalogSource,
  ClusterExtension,
  Subscription,
  OperatorGroup,
  tooOldForBundle,
} from './run-names.ts';
export { checkRunV0, checkRunV1, checkUpgrade, isOwnCatalog } from './check-run.ts';
export { parseInstallMode, type InstallMode } from './install-mode.ts';
export { installedByV0, installedByV1 } from './installed-operators.ts';
export {
  catalogSource,
  objectsOfV0,
  objectsOfV1,
  subscribingObjects,
  type RunTarget,
} from './run-objects.ts';
export { catalogParts } from './pod/catalog-config-maps.ts';
export {
  defaultDecompressionImage,
  defaultIndexImage,
  injectedBundle,
  servedByPod,
  type InjectedBundle,
  type PodCatalog,
} from './pod/pod-catalog.ts';
export { serveByPod } from './pod/serve-by-pod.ts';
export { type Installation } from './observed.ts';
export { waitInstalled } from './wait-installed.ts';
export { isInstalled } from './judge-installation.ts';
export { checkSameBundle, unfinishedV0, unfinishedV1, type UnfinishedRun } from './unfinished-run.ts';
