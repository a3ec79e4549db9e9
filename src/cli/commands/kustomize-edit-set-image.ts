import type { CommandModule } from '../command.ts';
import { editFlags } from '../flags/edit-flags.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk kustomize edit set image`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.argument('<image...>', 'NAME=NEW[:TAG][@DIGEST], or NAME:TAG, or NAME@DIGEST');
    editFlags(command);
    moreHelp(
      command,
      `
NAME is the image in the resources, without its tag. A part that you leave out is removed from the entry; * keeps the current one.

  op-sdk kustomize edit set image controller=ghcr.io/acme/operator:v1 --dir config/manager
  op-sdk kustomize edit set image 'controller=*:v2'`,
    );
  },
  run: () => import('../actions/kustomize-edit-set-image.ts'),
};
