/**
 * OLM v0 and v1 on a cluster: finds an installation, installs a release and removes it. `release/` checks and downloads releases, `status/`
 * describes an installation and its health, `uninstall/` removes an installation and reports obstacles.
 */
export { olmChoiceCodes, olmCodes } from './codes.ts';
export { findOlms, servedOlms, type InstalledOlm } from './status/find-olms.ts';
export {
  healthText,
  nameOf,
  knownObjects,
  olmState,
  stateFindings,
  type OlmState,
} from './status/olm-status.ts';
export { checkRelease, releaseMajors, type OlmRelease, olmFacts } from './release/check-release.ts';
export {
  downloadManifests,
  isManifestUrl,
  type DownloadRelease,
  checkDigests,
  unverifiedRelease,
  type DownloadedFile,
} from './release/download-release.ts';
export { installOlm } from './install-olm.ts';
export { uninstallOlm } from './uninstall/uninstall-olm.ts';
