import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk catalog add`. */
export const command = defineCommand({
  arguments: [
    ['<bundle>', 'the folder or the image of a bundle; oci:DIR for a layout'],
    ['[catalog]', 'the folder of the catalogue (default: catalog)'],
  ],
  flags: {
    channels: flag.text('list', 'channels to add it to, separated by commas (default: those of the bundle)'),
    'default-channel': flag.text(
      'name',
      'the default channel of a new package (default: that of the bundle)',
    ),
    replaces: flag.text('name', 'the bundle that this one is the update of'),
    skips: flag.text('list', 'bundles that this one replaces too, separated by commas'),
    'skip-range': flag.text('range', 'versions that this one is the update of, such as ">=1.0.0 <1.2.0"'),
    image: flag.text(
      'reference',
      'the image of a bundle that is a folder; {{.Package}}, {{.Name}} and {{.Version}} are replaced',
    ),
    ...pullFlags,
    ...dryRunFlag,
  },
  help: `
Adds a bundle to a file-based catalogue: the bundle, an entry in each of its channels, and what is
missing of the package, in CATALOG/PACKAGE/catalog.yaml or where the package is already. Comments,
order and form of everything else stay. Without flags, the bundle says itself what it replaces and
skips. Nothing is written if the catalogue would break a rule of \`op-sdk catalog validate\`. A
second run changes nothing.`,
});
