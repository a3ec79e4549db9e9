import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags } from '../flags/registry-flags.ts';

/** `op-sdk catalog diff`. */
export const command = defineCommand({
  arguments: [
    ['<old>', 'a catalogue: a folder, a file or an image; oci:DIR for a layout'],
    ['<new>', 'another one'],
  ],
  flags: {
    'fail-on': flag.choice('changes', ['any', 'none'], 'exit 1 for any difference, or for none', {
      default: 'none',
    }),
    ...pullFlags,
  },
  help: `
Compares two file-based catalogues: their packages, channels, entries of channels, bundles and
other documents, whatever their order and form are. + is only in the second, - only in the first,
~ in both, with the fields that differ.`,
});
