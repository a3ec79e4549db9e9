import { defineCommand } from '../command.ts';
import { pushFlags, pushArgument, pushHelp } from '../flags/registry-flags.ts';
import { pushBuiltImage } from '../actions/images/push-built-image.ts';

export const command = defineCommand({
  arguments: [pushArgument('bundle')],
  flags: {
    ...pushFlags,
  },
  help: pushHelp('bundle'),
  run(context, options, [image]) {
    return pushBuiltImage(context, options, image, 'bundle');
  },
});
