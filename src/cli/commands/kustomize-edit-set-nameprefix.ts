import type { CommandModule } from '../command.ts';
import { editFlags } from '../flags/edit-flags.ts';

/** `op-sdk kustomize edit set nameprefix`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.argument('<prefix>', 'the prefix of the name of every resource, such as dev-');
    editFlags(command);
  },
  run: () => import('../actions/kustomize-edit-set-nameprefix.ts'),
};
