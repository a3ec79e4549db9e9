import { defineCommand } from '../command.ts';

/** `op-sdk version`. */
export const command = defineCommand({
  help: 'Prints the versions of op-sdk and of Node.',
});
