import type { CommandModule } from '../command.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { dryRunFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk catalog add`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<bundle>', 'the folder or the image of a bundle; oci:DIR for a layout');
    command.argument('[catalog]', 'the folder of the catalogue (default: catalog)');
    command.option(
      '--channels <list>',
      'channels to add it to, separated by commas (default: those of the bundle)',
    );
    command.option(
      '--default-channel <name>',
      'the default channel of a new package (default: that of the bundle)',
    );
    command.option('--replaces <name>', 'the bundle that this one is the update of');
    command.option('--skips <list>', 'bundles that this one replaces too, separated by commas');
    command.option(
      '--skip-range <range>',
      'versions that this one is the update of, such as ">=1.0.0 <1.2.0"',
    );
    command.option(
      '--image <reference>',
      'the image of a bundle that is a folder; {{.Package}}, {{.Name}} and {{.Version}} are replaced',
    );
    pullFlags(command);
    dryRunFlag(command);
    moreHelp(
      command,
      `
Adds a bundle to a file-based catalogue: the bundle, an entry in each of its channels, and what is
missing of the package, in CATALOG/PACKAGE/catalog.yaml or where the package is already. Comments,
order and form of everything else stay. Without flags, the bundle says itself what it replaces and
skips. Nothing is written if the catalogue would break a rule of \`op-sdk catalog validate\`. A
second run changes nothing.`,
    );
  },
  run: () => import('../actions/catalog-add.ts'),
};
