import type { Action } from '../command.ts';
import type { command } from '../commands/version.ts';
import { versionInfo, versionLine } from '../version.ts';

/** `op-sdk version`. */
export const run: Action<typeof command> = () =>
  Promise.resolve({ result: versionInfo(), text: versionLine() });
