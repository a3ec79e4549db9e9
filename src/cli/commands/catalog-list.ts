import type { CommandModule } from '../command.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk catalog list`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[catalog]', 'a folder, a file or an image; oci:DIR for a layout (default: catalog)');
    command.argument('[package]', 'list the versions of this package');
    pullFlags(command);
    moreHelp(
      command,
      `
Lists the packages and channels of a file-based catalogue; with a package its versions, and from
which of them OLM updates to each: by replaces, skips and skipRange.

  op-sdk catalog list registry.example.com/team/catalog:latest memcached-operator`,
    );
  },
  run: () => import('../actions/catalog-list.ts'),
};
