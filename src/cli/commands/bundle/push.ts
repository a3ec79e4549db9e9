import type { CommandModule } from '../../command.ts';
import { pushBuiltImage, pushFlags } from '../shared/push-built-image.ts';

/** `op-sdk bundle push`. */
export const command: CommandModule = {
  configure: (command) => pushFlags(command, 'bundle'),
  run: (context, options, [image]) => pushBuiltImage(context, options, image, 'bundle'),
};
