import type { ExplainedCodes } from '../../base/errors/index.ts';

export const upgradeCodes = {
  'upgrade/outdated': {
    title: 'The project is behind op-sdk',
    explain:
      '`op-sdk upgrade --check` found a file that the new version scaffolds differently. Nothing was written. `op-sdk upgrade --dry-run` shows the changes, `op-sdk upgrade` makes them.',
  },
  'upgrade/unfinished': {
    title: 'An upgrade was interrupted',
    explain:
      'The files of the project are upgraded, but op-sdk was ended before it had installed the dependencies, generated the manifests again and reported the conflicts. `op-sdk upgrade` does the remaining steps.',
  },
  'upgrade/conflict': {
    title: 'A scaffolded file was changed on both sides',
    explain:
      'Lines were edited in the project that the new version of op-sdk scaffolds differently. The file has both, between the conflict markers of git: choose, and remove the markers.',
  },
  'upgrade/no-longer-scaffolded': {
    title: 'An edited file is no longer scaffolded',
    explain:
      'The old version of op-sdk scaffolded the file, the new one does not, and the project has it edited, or a link or a folder in its place, so it stays. It may have another name now: compare the files that the upgrade has created.',
  },
  'upgrade/path-taken': {
    title: 'A new scaffolded file has the name of a file of yours',
    explain:
      'The new version of op-sdk scaffolds a file that the old one did not have, and the project has a file or folder of that name, or a file where its folder would be. Yours is kept.',
  },
  'upgrade/cannot-merge': {
    title: 'A scaffolded file cannot be merged',
    explain:
      'The new version of op-sdk scaffolds the file differently, but what is at its path cannot be merged: it is not text in UTF-8, or it is a folder, a link that leads out of the project, or a link to another scaffolded file. It is kept as it is.',
  },
  'upgrade/unknown-origin': {
    title: 'It is not known how a file was made',
    explain:
      'An upgrade repeats the commands that made the project, as PROJECT records them. Older versions of op-sdk did not record them. The file differs from what the old version would scaffold, for an unknown reason, so it is not changed.',
  },
  'upgrade/older-version': {
    title: 'The project has a newer op-sdk',
    explain:
      'An upgrade leads to a newer version than the one that made the project, and than the one that it depends on. To go back, restore the files of the project from version control.',
  },
  'upgrade/no-package': {
    title: 'A version of op-sdk is unavailable',
    explain:
      'An upgrade compares what two versions of op-sdk scaffold, and needs both: the old one from node_modules of the project or from the registry, the new one as --to names it.',
  },
  'upgrade/no-registry': {
    title: 'The registry of packages does not answer',
    explain:
      'A version of op-sdk is installed into a temporary folder by the package manager of the project, from the registry that its settings name. It could not be reached. Nothing was written.',
  },
  'upgrade/uncommitted-changes': {
    title: 'The working tree has changes that are not committed',
    explain:
      'An upgrade changes many files. With a clean working tree, git shows what it has changed, and can undo it. --force upgrades nevertheless.',
  },
  'upgrade/unreadable-repository': {
    title: 'The repository of the project cannot be read',
    explain:
      'An upgrade asks git for changes that are not committed. The project is in a repository, and git is missing or refuses to read it, as it does with a damaged one and with one that belongs to another user. --force upgrades nevertheless.',
  },
  'upgrade/not-repeated': {
    title: 'A recorded command could not be repeated',
    explain:
      'An upgrade repeats the commands that made the project with the old version and with the new one. One of them failed, so it was left out with both: what it scaffolded stays as it is.',
  },
  'upgrade/unknown-override': {
    title: 'An override of a template is no longer used',
    explain:
      'A file in .op-sdk/templates overrides a template that the new version of op-sdk has renamed or removed. The files of the project follow the templates of the new version; commands that scaffold refuse the override until it is moved or removed.',
  },
  'upgrade/cannot-repeat-init': {
    title: 'The project cannot be scaffolded again',
    explain:
      'An upgrade repeats `op-sdk init` as it was run for the project, in a temporary folder. The message has what it reported.',
  },
  'upgrade/dependency-kept': {
    title: 'The dependency on opsdk is kept',
    explain:
      'package.json names opsdk in a way that an upgrade does not change, such as a path or an address. Change it by hand, so that it leads to the new version.',
  },
  'upgrade/follow-up-failed': {
    title: 'A step after the upgrade failed',
    explain:
      'The files of the project are upgraded and complete. Afterwards op-sdk installs the dependencies and generates the manifests again, and one of these steps failed. Fix the cause and run `op-sdk upgrade` again, which repeats these steps.',
  },
} satisfies ExplainedCodes;
