import { defineCommand } from '../command.ts';
import { editFlags } from '../flags/project-flags.ts';

/** `op-sdk kustomize edit set namespace`. */
export const command = defineCommand({
  locksProject: 'project',
  arguments: [['<namespace>', 'the namespace of all resources']],
  flags: {
    ...editFlags,
  },
});
