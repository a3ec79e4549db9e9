import type { CommandModule } from '../command.ts';
import { pushFlags } from '../flags/push-flags.ts';

/** `op-sdk bundle push`. */
export const command: CommandModule = {
  configure: (command) => pushFlags(command, 'bundle'),
  run: () => import('../actions/bundle-push.ts'),
};
