import { defineCommand } from '../command.ts';
import { versionInfo, versionLine } from '../version.ts';

/** `op-sdk version`. */
export const command = defineCommand({
  help: 'Prints the versions of op-sdk and of Node.',
  run() {
    return Promise.resolve({ result: versionInfo(), text: versionLine() });
  },
});
