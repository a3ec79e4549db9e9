import { defineCommand } from '../command.ts';
import { pushFlags, pushArgument, pushHelp } from '../flags/registry-flags.ts';
import { pushBuiltImage } from '../actions/images/push-built-image.ts';

export const command = defineCommand({
  arguments: [pushArgument('image')],
  flags: {
    ...pushFlags,
  },
  help: pushHelp('image'),
  run(context, options, [image]) {
    return pushBuiltImage(context, options, image, 'image');
  },
});
