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
NAME is the image in the resources, without tag. A part that is not given is removed from the entry; * keeps what the kustomization has.

  op-sdk kustomize edit set image controller=ghcr.io/acme/operator:v1 --dir config/manager
  op-sdk kustomize edit set image 'controller=*:v2'`,
    );
  },
  run: () => import('../actions/kustomize-edit-set-image.ts'),
};
