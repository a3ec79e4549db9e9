import type { CliCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const cliExplanations = {
  'cli/unsupported-node': {
    title: 'This Node is too old',
    explain:
      'op-sdk runs on Node 20.19 and newer; the message has the version and the path of the Node that was started. `node --version` says which one is first on the PATH.',
  },
  'cli/interrupted': {
    title: 'The command was interrupted',
    explain:
      'SIGINT, SIGTERM, SIGHUP (the terminal was closed), or Ctrl-C at a question ended the command. Files are written whole or not at all, so nothing is half-written.',
  },
  'cli/defect': {
    title: 'op-sdk itself failed',
    explain:
      'This is a bug in op-sdk, not your mistake: please report it with what the command printed on stderr.',
  },
  'cli/unknown-command': {
    title: 'An unknown command',
    explain: 'op-sdk does not have this command. `op-sdk --help` lists the commands.',
  },
  'cli/unknown-flag': {
    title: 'An unknown flag',
    explain: 'The command does not have this flag. `op-sdk <command> --help` lists its flags.',
  },
  'cli/missing-value': {
    title: 'A flag or argument is missing',
    explain:
      'A value that the command needs was not given. On a terminal op-sdk asks for it; in a script, in CI and with `-o json` it must be given as a flag.',
  },
  'cli/invalid-value': {
    title: 'A flag or argument has a value that is not allowed',
    explain: 'The message names the flag, the value, and what is allowed.',
  },
  'cli/unexpected-argument': {
    title: 'There are too many arguments',
    explain: 'The command takes fewer arguments. Flags need a leading `--`; values with blanks need quotes.',
  },
} satisfies Readonly<Record<CliCode, Explanation>>;
