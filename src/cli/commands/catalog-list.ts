import { defineCommand } from '../command.ts';
import { pullFlags } from '../flags/registry-flags.ts';

/** `op-sdk catalog list`. */
export const command = defineCommand({
  arguments: [
    ['[catalog]', 'a folder, a file or an image; oci:DIR for a layout (default: catalog)'],
    ['[package]', 'list the versions of this package'],
  ],
  flags: {
    ...pullFlags,
  },
  help: `
Lists the packages and channels of a file-based catalogue; with a package its versions, and from
which of them OLM updates to each: by replaces, skips and skipRange.

  op-sdk catalog list registry.example.com/team/catalog:latest memcached-operator`,
});
