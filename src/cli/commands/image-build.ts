import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags, outputFlags } from '../flags/registry-flags.ts';

/** `op-sdk image build`. */
export const command = defineCommand({
  flags: {
    ...outputFlags,
    base: flag.text(
      'image',
      "the base image, or oci:DIR for a layout on disk (default: the Dockerfile's, node:24-slim)",
    ),
    platform: flag.text('list', 'os/architecture, several separated by commas (default: linux/amd64)'),
    entry: flag.text('file', 'the file that starts the operator (default: src/main.ts)'),
    push: flag.boolean('push the image after the build'),
    ...pullFlags,
  },
  help: `
Bundles the operator as \`op-sdk build\` does and adds it to a base image: the image that the
Dockerfile of the project describes, without docker. One layer serves all platforms, since only
the base differs. The same sources and base give an image with the same bytes. The base is pulled
with the credentials of docker or podman and cached in $XDG_CACHE_HOME/op-sdk/images.`,
});
