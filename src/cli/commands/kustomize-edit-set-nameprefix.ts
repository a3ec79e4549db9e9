import { defineCommand } from '../command.ts';
import { editFlags } from '../flags/project-flags.ts';

/** `op-sdk kustomize edit set nameprefix`. */
export const command = defineCommand({
  locksProject: 'project',
  arguments: [['<prefix>', 'the prefix of the name of every resource, such as dev-']],
  flags: {
    ...editFlags,
  },
});
