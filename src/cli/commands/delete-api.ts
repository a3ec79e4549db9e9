import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk delete api`. */
export const command = defineCommand({
  locksProject: 'project',
  flags: {
    group: flag.text('group', 'API group, without the domain of the project'),
    version: flag.text('version', 'delete this version only (default: all versions of the kind)'),
    kind: flag.text('Kind', 'kind, such as Memcached'),
    sources: flag.boolean('delete the types, the controller and its tests, too'),
    force: flag.boolean('delete files that were edited'),
    ...dryRunFlag,
  },
  help: `
Takes a kind, or one version of it, back out of the project: its entry in PROJECT, its samples and roles, its entries in
the kustomizations, and the controller's registration in src/main.ts. Without --sources the TypeScript files stay; the
CRD and the permissions are generated from them as before, but nothing installs or runs them.

Nothing is deleted from a cluster: op-sdk uninstall does that, before the kind leaves the project.`,
});
