import type { CommanderError } from 'commander';
import type { ErrorCode, Finding } from '../errors/index.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  'commander.unknownCommand': 'cli/unknown-command',
  'commander.unknownOption': 'cli/unknown-flag',
  'commander.optionMissingArgument': 'cli/missing-value',
  'commander.missingMandatoryOptionValue': 'cli/missing-value',
  'commander.missingArgument': 'cli/missing-value',
  'commander.excessArguments': 'cli/unexpected-argument',
};

/**
 * A parse error of commander as a finding: its suggestion becomes the fix.
 * @param path the words of the command that was called; empty if there is none
 */
export function usageFinding(error: CommanderError, path: readonly string[]): Finding {
  const [first = '', ...rest] = error.message.split('\n');
  const suggestion = /\(Did you mean (?:one of )?(.+)\?\)/.exec(rest.join(' '))?.[1];
  // commander names a flag as it was declared: '-o, --output <format>'.
  const flag = /'(?:-\w, )?(-[^\s']+)/.exec(first)?.[1];
  const help = ['op-sdk', ...path, '--help'].join(' ');
  return {
    code: codes[error.code] ?? 'cli/invalid-value',
    message: first.replace(/^error: /, ''),
    ...(flag === undefined ? {} : { where: { flag } }),
    fix: suggestion === undefined ? [`see ${help}`] : [`did you mean ${suggestion}?`],
  };
}
