import type { CommandModule } from '../command.ts';
import { editFlags } from '../flags/edit-flags.ts';

/** `op-sdk kustomize edit set namespace`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.argument('<namespace>', 'the namespace of all resources');
    editFlags(command);
  },
  run: () => import('../actions/kustomize-edit-set-namespace.ts'),
};
