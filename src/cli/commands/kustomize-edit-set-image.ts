import { defineCommand } from '../command.ts';
import { editFlags } from '../flags/project-flags.ts';

/** `op-sdk kustomize edit set image`. */
export const command = defineCommand({
  locksProject: 'project',
  arguments: [['<image...>', 'NAME=NEW[:TAG][@DIGEST], or NAME:TAG, or NAME@DIGEST']],
  flags: {
    ...editFlags,
  },
  help: `
NAME is the image in the resources, without its tag. A part that you leave out is removed from the entry; * keeps the current one.

  op-sdk kustomize edit set image controller=ghcr.io/acme/operator:v1 --dir config/manager
  op-sdk kustomize edit set image 'controller=*:v2'`,
});
