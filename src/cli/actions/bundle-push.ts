import type { Action } from '../command.ts';
import { pushBuiltImage } from './images/push-built-image.ts';

/** `op-sdk bundle push`. */
export const run: Action = (context, options, [image]) => pushBuiltImage(context, options, image, 'bundle');
