import { defineCommand, type Action } from '../command.ts';
import { pushFlags, pushArgument, pushHelp } from '../flags/registry-flags.ts';
import { pushBuiltImage } from '../actions/images/push-built-image.ts';

/** `op-sdk image push`. */
export const command = defineCommand({
  arguments: [pushArgument('image')],
  flags: {
    ...pushFlags,
  },
  help: pushHelp('image'),
});

/** `op-sdk image push`. */
export const run: Action<typeof command> = (context, options, [image]) =>
  pushBuiltImage(context, options, image, 'image');
