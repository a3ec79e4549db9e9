import type { Command, CommanderError } from 'commander';
import type { ErrorCode, Finding } from '../base/errors/index.ts';
import { exampleOf } from './flags/common.ts';

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
 * @param command that command, or the program
 */
export function usageFinding(error: CommanderError, path: readonly string[], command: Command): Finding {
  const [first = '', ...rest] = error.message.split('\n');
  const suggestion = /\(Did you mean (?:one of )?(.+)\?\)/.exec(rest.join(' '))?.[1];
  // commander names a flag as it was declared: '-o, --output <format>'.
  const flag = /'(?:-\w, )?(-[^\s']+)/.exec(first)?.[1];
  const help = ['op-sdk', ...path, '--help'].join(' ');
  return {
    code: codes[error.code] ?? 'cli/invalid-value',
    message: first.replace(/^error: /, ''),
    ...(flag === undefined ? {} : { where: { flag } }),
    fix:
      suggestion !== undefined
        ? [`did you mean ${suggestion}?`]
        : error.code === 'commander.missingArgument'
          ? [...wantedArguments(command), `see ${help}`]
          : [`see ${help}`],
  };
}

/** Each argument that a command takes and its meaning, and an example. */
function wantedArguments(command: Command): readonly string[] {
  const given = command.registeredArguments.map((argument) => {
    const name = argument.name().toUpperCase();
    return `give ${name}${argument.required ? '' : ' (optional)'}: ${argument.description}`;
  });
  const example = exampleOf(command);
  return [...given, ...(example === undefined ? [] : [`for example: ${example}`])];
}
