import { Option, type Command } from 'commander';
import type { Finding } from '../../base/errors/index.ts';
import { flag } from './flag.ts';
import { helpWidth, layOut } from './help-layout.ts';

/** Options that {@link globalFlags} sets for every command. */
export interface GlobalOptions {
  readonly output: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/** Adds the flags that every command has. */
export function globalFlags(command: Command): Command {
  command.option(
    '-o, --output <format>',
    "'text' or 'json': one document on stdout, no prompts, no colours",
    'text',
  );
  command.option('-q, --quiet', 'print warnings and errors only');
  command.option('--verbose', 'print causes and stack traces of errors');
  command.option('--no-color', 'never print colours (NO_COLOR=1 does the same)');
  for (const name of ['--no-quiet', '--no-verbose', '--color'])
    command.addOption(new Option(name).hideHelp());
  // The hidden flags declared above change the defaults of `quiet` and `verbose`, so these defaults are set again.
  for (const name of ['quiet', 'verbose']) command.setOptionValueWithSource(name, false, 'default');
  return command;
}

/** `--dry-run` of commands that write files. */
export const dryRunFlag = { 'dry-run': flag.boolean('print what would be written, write nothing') };

/** `--dry-run` of commands that write to a cluster. */
export const serverDryRunFlag = {
  'dry-run': flag.boolean('send every request as a server-side dry run; change nothing'),
};

/** First example in the help of each command. */
const examples = new WeakMap<Command, string>();

/** Returns an example of a call, taken from the help of the command. */
export function exampleOf(command: Command): string | undefined {
  return examples.get(command);
}

/** Adds help text after the flags; see `layOut` for the format of the text. */
export function moreHelp(command: Command, text: string): Command {
  const [example] = /^ {2}op-sdk .*$/m.exec(text) ?? [];
  if (example !== undefined) examples.set(command, example.trim().replace(/ {2,}.*$/, ''));
  return command.addHelpText('after', ({ command: called, error }) => {
    const output = called.configureOutput();
    return `\n${layOut(text, helpWidth(error ? output.getErrHelpWidth?.() : output.getOutHelpWidth?.()))}`;
  });
}

const yes = /^(?:true|t|1)$/i;
const no = /^(?:false|f|0)$/i;

/**
 * Rewrites `--x=true` to `--x` and `--x=false` to `--no-x` for the boolean flags of `command`, because commander supports only the forms
 * without a value.
 * @returns the arguments to parse, and a finding for each value other than true and false
 */
export function expandBooleanFlags(
  argv: readonly string[],
  command: Command,
): { readonly argv: readonly string[]; readonly findings: readonly Finding[] } {
  const options = flagsOf(command);
  const findings: Finding[] = [];
  const end = argv.indexOf('--');
  const expanded = argv.map((argument, index) => {
    const match = /^--([a-z][a-z0-9-]*)=(.*)$/s.exec(argument);
    if (match === null || (end !== -1 && index > end)) return argument;
    const [, name = '', value = ''] = match;
    const option = options.find((candidate) => candidate.long === `--${name}`);
    if (option === undefined || !option.isBoolean()) return argument;
    if (yes.test(value)) return `--${name}`;
    if (no.test(value) && options.some((candidate) => candidate.long === `--no-${name}`))
      return `--no-${name}`;
    findings.push({
      code: 'cli/invalid-value',
      message: `--${name} is ${JSON.stringify(value)}, which is neither true nor false`,
      where: { flag: `--${name}` },
      fix: [`write --${name}, --${name}=false or --no-${name}`],
    });
    return `--${name}`;
  });
  return { argv: expanded, findings };
}

function flagsOf(command: Command): readonly Option[] {
  const own = command.options;
  return command.parent === null ? own : [...own, ...flagsOf(command.parent)];
}
