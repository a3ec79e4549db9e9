import { defineCommand } from '../command.ts';
import { outputFlags } from '../flags/registry-flags.ts';

/** `op-sdk bundle build`. */
export const command = defineCommand({
  arguments: [['[folder]', 'the folder of the bundle (default: bundle)']],
  flags: {
    ...outputFlags,
  },
  help: `
Builds the image that bundle.Dockerfile describes, without docker: the folders manifests, metadata
and tests, and the annotations of metadata/annotations.yaml as labels. The same bundle gives an
image with the same bytes. Prints the name of the image with its digest.`,
});
