import { defineCommand } from '../command.ts';

/** `op-sdk explain`. */
export const command = defineCommand({
  arguments: [['[code]', 'a code such as schema/plain-number, or a group of codes such as schema/']],
  help: `
Says what the code of an error or warning means, and what to do about it. Without a code, or with only the part before
the slash, it lists codes.

  op-sdk explain schema/plain-number
  op-sdk explain bundle/`,
});
