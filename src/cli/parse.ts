import { CommanderError, type Command } from 'commander';
import type { Finding, ErrorCode } from '../base/errors/index.ts';
import { closestName } from '../base/util/terminal-words.ts';
import { listText } from '../base/util/words.ts';
import type { DeclaredCommand, CommandEntry } from './command.ts';
import { expandBooleanFlags, exampleOf } from './flags/common.ts';
import { commands } from './command-table.ts';
import { buildProgram, findCommand, wordsOf, type Invocation } from './program.ts';
import { helpWidth } from './flags/help-layout.ts';
import type { TextSink } from './ui/reporter.ts';
import { versionFlags } from './version.ts';

/** Error for a command line that cannot be parsed. */
export class UsageErrors extends Error {
  readonly findings: readonly Finding[];
  constructor(findings: readonly Finding[]) {
    super('wrong usage');
    this.findings = findings;
  }
}

/** Error for a command line without a command. `main` prints the help for it. */
export class HelpShown extends UsageErrors {
  readonly help: string;
  constructor(help: string) {
    const fix = ['see op-sdk --help'];
    super([{ code: 'cli/missing-value', message: 'no command was given', fix }]);
    this.help = help;
  }
}

/**
 * Parses a command line and loads its command.
 * @returns undefined if the command line needs no further work, such as `--help`
 * @throws UsageErrors
 */
export async function parse(
  argv: readonly string[],
  world: { readonly stdout: TextSink; readonly stderr: TextSink },
  table: readonly CommandEntry[] = commands,
): Promise<Invocation | undefined> {
  const wanted = withoutSynonyms(argv, table);
  const entry = findCommand(wanted, table);
  const modules = new Map<CommandEntry, DeclaredCommand>();
  if (entry !== undefined) modules.set(entry, await entry.load());
  let invocation: Invocation | undefined;
  let help = '';
  const { program, leaves } = buildProgram(
    modules,
    (call) => {
      invocation = call;
    },
    {
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => void (help += text),
      outputError: () => undefined,
      getOutHasColors: () => world.stdout.colors,
      getErrHasColors: () => world.stderr.colors,
      getOutHelpWidth: () => helpWidth(world.stdout.columns),
      getErrHelpWidth: () => helpWidth(world.stderr.columns),
    },
    table,
  );
  const leaf: Command = (entry === undefined ? undefined : leaves.get(entry)) ?? program;
  const { argv: expanded, findings } = expandBooleanFlags(wanted, leaf);
  if (findings.length > 0) throw new UsageErrors(findings);
  try {
    await program.parseAsync(expanded, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    // The command line names no command, so commander has printed the help of a group or of op-sdk itself.
    if (error.code === 'commander.help') throw new HelpShown(help);
    throw new UsageErrors([usageFinding(error, entry?.path ?? [], leaf)]);
  }
  checkOutput(invocation);
  return invocation;
}

function checkOutput(invocation: Invocation | undefined): void {
  const output = invocation?.options['output'];
  const known = ['text', 'json', ...(invocation?.definition.formats ?? [])];
  if (typeof output !== 'string' || known.includes(output)) return;
  const list = known.map((format) => `'${format}'`);
  const message = `--output is ${JSON.stringify(output)}; it must be ${listText(list, 'or')}`;
  const flags = known.map((format) => `-o ${format}`);
  const fix = [`give ${listText(flags, 'or')}`];
  throw new UsageErrors([{ code: 'cli/invalid-value', message, where: { flag: '--output' }, fix }]);
}

/** Replaces synonyms: `--version` becomes the command `version`; `help create api` and `create help api` become `create api --help`. */
function withoutSynonyms(argv: readonly string[], table: readonly CommandEntry[]): readonly string[] {
  const words = wordsOf(argv);
  const isVersion = (argument: string): boolean => versionFlags.includes(argument);
  if (words.length === 0 && argv.some(isVersion))
    return ['version', ...argv.filter((argument) => !isVersion(argument))];
  const at = words.indexOf('help');
  const isGroup = table.some(({ path: [first, ...more] }) => first === words[0] && more.length > 0);
  if (at === -1 || at > 1 || (at === 1 && !isGroup)) return argv;
  const path = words.filter((_word, index) => index !== at);
  for (const [depth, word] of path.entries()) {
    const known = table
      .filter((entry) => path.slice(0, depth).every((step, index) => entry.path[index] === step))
      .flatMap((entry) => entry.path[depth] ?? []);
    if (known.includes(word)) continue;
    const meant = closestName(word, known);
    const fix = [meant === undefined ? 'see op-sdk --help' : `did you mean ${meant}?`];
    throw new UsageErrors([{ code: 'cli/unknown-command', message: `unknown command '${word}'`, fix }]);
  }
  return [...path, '--help'];
}

const codes: Readonly<Record<string, ErrorCode>> = {
  'commander.unknownCommand': 'cli/unknown-command',
  'commander.unknownOption': 'cli/unknown-flag',
  'commander.optionMissingArgument': 'cli/missing-value',
  'commander.missingMandatoryOptionValue': 'cli/missing-value',
  'commander.missingArgument': 'cli/missing-value',
  'commander.excessArguments': 'cli/unexpected-argument',
};

/**
 * Converts a parse error of commander to a finding. The suggestion of commander becomes the fix.
 * @param path words of the called command; empty if none was called
 * @param command the called command, or the program if none was called
 */
function usageFinding(error: CommanderError, path: readonly string[], command: Command): Finding {
  const [first = '', ...rest] = error.message.split('\n');
  const suggestion = /\(Did you mean (?:one of )?(.+)\?\)/.exec(rest.join(' '))?.[1];
  // commander names a flag in the form in which it was declared: '-o, --output <format>'.
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

/** Returns each argument of a command with its meaning, and an example. */
function wantedArguments(command: Command): readonly string[] {
  const given = command.registeredArguments.map((argument) => {
    const name = argument.name().toUpperCase();
    return `give ${name}${argument.required ? '' : ' (optional)'}: ${argument.description}`;
  });
  const example = exampleOf(command);
  return [...given, ...(example === undefined ? [] : [`for example: ${example}`])];
}
