import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk edit`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    booleanFlag(command, 'namespaced', 'the operator works in its own namespace; =false: in all of them');
    booleanFlag(command, 'multigroup', 'record in PROJECT that it has several groups; moves no file');
    command
      .option('--license <license>', "licence of new source files: 'apache2' or 'none'")
      .option('--owner <owner>', 'owner named in the copyright of new source files');
    booleanFlag(command, 'force', 'overwrite a header that was edited; it is kept beside the new one', false);
    dryRunFlag(command);
    moreHelp(
      command,
      `
--namespaced changes config/rbac, the environment variable WATCH_NAMESPACE in config/manager/manager.yaml, and PROJECT. Everything else
in these files stays as it is; what cannot be changed is reported, with the lines to write.`,
    );
  },
  run: () => import('../actions/edit.ts'),
};
