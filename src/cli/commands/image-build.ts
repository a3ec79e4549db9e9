import type { CommandModule } from '../command.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';
import { outputFlags } from '../flags/image-output-flags.ts';
import { pullFlags } from '../flags/registry-flags.ts';

/** `op-sdk image build`. */
export const command: CommandModule = {
  configure(command) {
    outputFlags(command);
    command.option(
      '--base <image>',
      "the base image, or oci:DIR for a layout on disk (default: the Dockerfile's, node:24-slim)",
    );
    command.option(
      '--platform <list>',
      'os/architecture, several separated by commas (default: linux/amd64)',
    );
    command.option('--entry <file>', 'the file that starts the operator (default: src/main.ts)');
    booleanFlag(command, 'push', 'push the image after the build', false);
    pullFlags(command);
    moreHelp(
      command,
      `
Bundles the operator as \`op-sdk build\` does and adds it to a base image: the image that the
Dockerfile of the project describes, without docker. One layer serves all platforms, since only
the base differs. The same sources and base give an image with the same bytes. The base is pulled
with the credentials of docker or podman and cached in $XDG_CACHE_HOME/op-sdk/images.`,
    );
  },
  run: () => import('../actions/image-build.ts'),
};
