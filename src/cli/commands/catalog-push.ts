import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { pushFlags } from '../flags/push-flags.ts';

/** `op-sdk catalog push`. */
export const command: CommandModule = {
  configure(command) {
    pushFlags(command, 'catalog');
    command.option(
      '--name <name>',
      'the name of the catalogue on the cluster (default: from that of the image)',
    );
    command.option('--namespace <name>', 'the namespace of the CatalogSource', 'olm');
    command.addOption(
      new Option('--olm <version>', 'print the object for this version of OLM only').choices(['v0', 'v1']),
    );
  },
  run: () => import('../actions/catalog-push.ts'),
};
