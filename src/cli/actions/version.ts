import type { Action } from '../command.ts';
import { versionInfo, versionLine } from '../version.ts';

/** `op-sdk version`. */
export const run: Action = () => Promise.resolve({ result: versionInfo(), text: versionLine() });
