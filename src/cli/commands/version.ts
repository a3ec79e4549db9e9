import { defineCommand, type Action } from '../command.ts';
import { versionInfo, versionLine } from '../version.ts';

/** `op-sdk version`. */
export const command = defineCommand({
  help: 'Prints the versions of op-sdk and of Node.',
});

/** `op-sdk version`. */
export const run: Action<typeof command> = () =>
  Promise.resolve({ result: versionInfo(), text: versionLine() });
