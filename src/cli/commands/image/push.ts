import type { CommandModule } from '../../command.ts';
import { pushBuiltImage, pushFlags } from '../shared/push-built-image.ts';

/** `op-sdk image push`. */
export const command: CommandModule = {
  configure: (command) => pushFlags(command, 'image'),
  run: (context, options, [image]) => pushBuiltImage(context, options, image, 'image'),
};
