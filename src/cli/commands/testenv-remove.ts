import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk testenv remove`. */
export const command = defineCommand({
  flags: {
    version: flag.text('version', 'the version to remove'),
    all: flag.boolean('remove every version', { unset: true }),
    ...dryRunFlag,
  },
});
