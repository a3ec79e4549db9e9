import { defineCommand, type Action } from '../command.ts';
import { pushFlags, pushArgument, pushHelp } from '../flags/registry-flags.ts';
import { pushBuiltImage } from '../actions/images/push-built-image.ts';

/** `op-sdk bundle push`. */
export const command = defineCommand({
  arguments: [pushArgument('bundle')],
  flags: {
    ...pushFlags,
  },
  help: pushHelp('bundle'),
});

/** `op-sdk bundle push`. */
export const run: Action<typeof command> = (context, options, [image]) =>
  pushBuiltImage(context, options, image, 'bundle');
