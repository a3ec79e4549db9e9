import { defineCommand } from '../command.ts';
import { outputFlags } from '../flags/registry-flags.ts';

/** `op-sdk catalog build`. */
export const command = defineCommand({
  arguments: [['[catalog]', 'the folder of the catalogue (default: catalog)']],
  flags: {
    ...outputFlags,
  },
  help: `
Builds the image of a file-based catalogue, without docker: its files in /configs, and the label
by which OLM finds them. One image serves OLM v0 and v1. A catalogue that \`op-sdk catalog validate\`
refuses is not built; files that .indexignore lists are left out. The same catalogue gives an image
with the same bytes. Prints the name of the image with its digest.`,
});
