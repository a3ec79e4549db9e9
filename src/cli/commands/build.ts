import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk build`. */
export const command = defineCommand({
  locksProject: 'project',
  flags: {
    entry: flag.text('file', 'the file that starts the operator (default: src/main.ts)'),
    outfile: flag.text('file', 'the bundle (default: dist/main.mjs)'),
    check: flag.boolean('check manifests and imports, write nothing'),
    ...dryRunFlag,
  },
  help: `
Bundles the operator with everything that it imports into one ES module for Node 20, so that an image
needs no node_modules. The files of loadManifest calls are checked and included.`,
});
