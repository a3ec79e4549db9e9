import type { CommandModule } from '../command.ts';
import { editFlags } from '../flags/edit-flags.ts';

/** `op-sdk kustomize edit add resource`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.argument('<path...>', 'files, or folders with a kustomization, relative to the kustomization');
    editFlags(command);
  },
  run: () => import('../actions/kustomize-edit-add-resource.ts'),
};
