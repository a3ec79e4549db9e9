import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pushFlags, pushArgument, pushHelp } from '../flags/registry-flags.ts';

/** `op-sdk catalog push`. */
export const command = defineCommand({
  arguments: [pushArgument('catalog')],
  flags: {
    ...pushFlags,
    name: flag.text('name', 'the name of the catalogue on the cluster (default: from that of the image)'),
    namespace: flag.text('name', 'the namespace of the CatalogSource', { default: 'olm' }),
    olm: flag.choice('version', ['v0', 'v1'], 'print the object for this version of OLM only'),
  },
  help: pushHelp('catalog'),
});
