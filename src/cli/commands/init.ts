import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag } from '../flags/common.ts';

/** `op-sdk init`. */
export const command: CommandModule = {
  locksProject: 'here',
  configure(command) {
    command
      .option('--domain <domain>', 'domain of the API groups, such as example.com')
      .option('--repo <repo>', 'the repository of the sources; recorded in PROJECT')
      .option('--project-name <name>', "name of the project (default: the folder's name)")
      .option('--owner <owner>', 'owner named in the copyright')
      .option('--license <license>', "licence of the source files: 'apache2' or 'none'", 'apache2')
      .option('--opsdk <spec>', "the project's dependency on opsdk (default: this version; env: OPSDK_SPEC)")
      .option('--project-version <version>', 'version of the PROJECT format', '3');
    booleanFlag(
      command,
      'namespaced',
      'the operator works in its own namespace, with Roles in place of ClusterRoles',
      false,
    );
    booleanFlag(command, 'skip-install', 'do not install the dependencies', false);
    booleanFlag(command, 'force', 'overwrite files that exist', false);
    dryRunFlag(command);
  },
  run: () => import('../actions/init.ts'),
};
