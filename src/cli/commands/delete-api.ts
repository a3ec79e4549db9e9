import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk delete api`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command
      .option('--group <group>', 'API group, without the domain of the project')
      .option('--version <version>', 'delete this version only (default: all versions of the kind)')
      .option('--kind <Kind>', 'kind, such as Memcached');
    booleanFlag(command, 'sources', 'delete the types, the controller and its tests, too', false);
    booleanFlag(command, 'force', 'delete files that were edited', false);
    dryRunFlag(command);
    moreHelp(
      command,
      `
Takes a kind, or one version of it, back out of the project: its entry in PROJECT, its samples and roles, its entries in
the kustomizations, and the controller's registration in src/main.ts. Without --sources the TypeScript files stay; the
CRD and the permissions are generated from them as before, but nothing installs or runs them.

Nothing is deleted from a cluster: op-sdk uninstall does that, before the kind leaves the project.`,
    );
  },
  run: () => import('../actions/delete-api.ts'),
};
