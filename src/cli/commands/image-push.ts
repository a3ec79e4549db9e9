import { defineCommand } from '../command.ts';
import { pushFlags, pushArgument, pushHelp } from '../flags/registry-flags.ts';

/** `op-sdk image push`. */
export const command = defineCommand({
  arguments: [pushArgument('image')],
  flags: {
    ...pushFlags,
  },
  help: pushHelp('image'),
});
