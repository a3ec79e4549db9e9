import type { CommandModule } from '../command.ts';
import { pushFlags } from '../flags/push-flags.ts';

/** `op-sdk image push`. */
export const command: CommandModule = {
  configure: (command) => pushFlags(command, 'image'),
  run: () => import('../actions/image-push.ts'),
};
