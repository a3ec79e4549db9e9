import { defineCommand } from '../command.ts';
import { versionInfo, versionLine } from '../version.ts';

export const command = defineCommand({
  help: 'Prints the versions of op-sdk and of Node.',
  run() {
    return Promise.resolve({ result: versionInfo(), text: versionLine() });
  },
});
