import type { CommandModule } from '../command.ts';
import { outputFlags } from '../flags/image-output-flags.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk bundle build`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[folder]', 'the folder of the bundle (default: bundle)');
    outputFlags(command);
    moreHelp(
      command,
      `
Builds the image that bundle.Dockerfile describes, without docker: the folders manifests, metadata
and tests, and the annotations of metadata/annotations.yaml as labels. The same bundle gives an
image with the same bytes. Prints the name of the image with its digest.`,
    );
  },
  run: () => import('../actions/bundle-build.ts'),
};
