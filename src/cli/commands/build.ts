import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk build`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.option('--entry <file>', 'the file that starts the operator (default: src/main.ts)');
    command.option('--outfile <file>', 'the bundle (default: dist/main.mjs)');
    booleanFlag(command, 'check', 'check manifests and imports, write nothing', false);
    dryRunFlag(command);
    moreHelp(
      command,
      `
Bundles the operator with everything that it imports into one ES module for Node 20, so that an image
needs no node_modules. The files of loadManifest calls are checked and included.`,
    );
  },
  run: () => import('../actions/build.ts'),
};
