import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk catalog diff`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<old>', 'a catalogue: a folder, a file or an image; oci:DIR for a layout');
    command.argument('<new>', 'another one');
    command.addOption(
      new Option('--fail-on <changes>', 'exit 1 for any difference, or for none')
        .choices(['any', 'none'])
        .default('none'),
    );
    pullFlags(command);
    moreHelp(
      command,
      `
Compares two file-based catalogues: their packages, channels, entries of channels, bundles and
other documents, whatever their order and form are. + is only in the second, - only in the first,
~ in both, with the fields that differ.`,
    );
  },
  run: () => import('../actions/catalog-diff.ts'),
};
