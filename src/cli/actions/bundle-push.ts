import type { Action } from '../command.ts';
import type { command } from '../commands/bundle-push.ts';
import { pushBuiltImage } from './images/push-built-image.ts';

/** `op-sdk bundle push`. */
export const run: Action<typeof command> = (context, options, [image]) =>
  pushBuiltImage(context, options, image, 'bundle');
