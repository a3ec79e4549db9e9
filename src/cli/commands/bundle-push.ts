import { defineCommand } from '../command.ts';
import { pushFlags, pushArgument, pushHelp } from '../flags/registry-flags.ts';

/** `op-sdk bundle push`. */
export const command = defineCommand({
  arguments: [pushArgument('bundle')],
  flags: {
    ...pushFlags,
  },
  help: pushHelp('bundle'),
});
