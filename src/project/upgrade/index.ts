/**
 * Upgrades projects to another version of op-sdk. The commands that PROJECT records are repeated with the old version and with the new one,
 * and the differences between the results are merged into the edited files of the project.
 */
export { upgradeCodes } from './codes.ts';
export { renamesSince, type ApiRename } from './api-renames.ts';
export { dependencyIn, hasScript, packedArchive } from './merge-package-json.ts';
export {
  archiveAt,
  installedPackage,
  installPackage,
  publishedVersion,
  type OpsdkPackage,
} from './packages.ts';
export { conflictsLeft } from './conflict-marks.ts';
export {
  forgetUnfinishedUpgrade,
  recordUnfinishedUpgrade,
  unfinishedUpgrade,
  type UnfinishedUpgrade,
} from './unfinished-upgrade.ts';
export { planProjectUpgrade, type UpgradeTarget } from './upgrade-project.ts';
