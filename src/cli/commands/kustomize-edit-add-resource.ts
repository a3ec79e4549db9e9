import { defineCommand } from '../command.ts';
import { editFlags } from '../flags/project-flags.ts';

/** `op-sdk kustomize edit add resource`. */
export const command = defineCommand({
  locksProject: 'project',
  arguments: [['<path...>', 'files, or folders with a kustomization, relative to the kustomization']],
  flags: {
    ...editFlags,
  },
});
