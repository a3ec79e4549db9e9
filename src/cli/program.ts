import { Argument, Command, type Option, type OutputConfiguration } from 'commander';
import type { CommandEntry, DeclaredCommand, ParsedOptions } from './command.ts';
import { commands, groups } from './command-table.ts';
import type { Flags } from './flags/flag.ts';
import { globalFlags, moreHelp } from './flags/common.ts';
import { helpLayout } from './flags/help-layout.ts';
import { versionFlags } from './version.ts';

/** Flags that are allowed between the words of a command, as in `op-sdk -o json create api`. */
const globalOptions = globalFlags(new Command()).options;

/**
 * Returns the words that may name a command: the words before `--` and before the first flag that is not global. So neither the value of a
 * flag nor an argument for the operator is mistaken for a command.
 */
export function wordsOf(argv: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    if (!argument.startsWith('-')) {
      words.push(argument);
      continue;
    }
    const option = globalOption(argument);
    if (option === undefined && !versionFlags.includes(argument)) break;
    // With `-o json`, the value is the next word, so this word is skipped. In `-ojson` and `--output=json`, the value is part of the
    // argument.
    if (/^(?:-[a-z]*o|--output)$/.test(argument)) index++;
  }
  return words;
}

/** Returns the global flag that an argument contains. A short flag is recognized by its first letter, such as `-q` in `-qojson`. */
function globalOption(argument: string): Option | undefined {
  const [name = ''] = argument.split('=');
  if (!name.startsWith('--')) return globalOptions.find(({ short }) => short === name.slice(0, 2));
  return globalOptions.find(({ long }) => long === name);
}

/** Returns the entry with the longest path that the leading words of `argv` match. */
export function findCommand(
  argv: readonly string[],
  table: readonly CommandEntry[] = commands,
): CommandEntry | undefined {
  const words = wordsOf(argv);
  return table
    .filter((entry) => entry.path.every((word, index) => words[index] === word))
    .reduce<CommandEntry | undefined>(
      (longest, entry) => (entry.path.length > (longest?.path.length ?? 0) ? entry : longest),
      undefined,
    );
}

/** Parsed call of a command. */
export interface Invocation {
  readonly entry: CommandEntry;
  readonly definition: DeclaredCommand;
  readonly options: ParsedOptions<Flags>;
  readonly args: readonly string[];
}

/**
 * Builds the tree of commander commands. Every command has its summary; only the commands in `modules` also have their flags and arguments.
 * @param onCall receives the command that was called, with its options and arguments
 */
export function buildProgram(
  modules: ReadonlyMap<CommandEntry, DeclaredCommand>,
  onCall: (invocation: Invocation) => void,
  output: OutputConfiguration = {},
  table: readonly CommandEntry[] = commands,
): { readonly program: Command; readonly leaves: ReadonlyMap<CommandEntry, Command> } {
  const program = globalFlags(new Command('op-sdk'))
    .description('The Operator SDK for TypeScript: scaffold, generate, run and test Kubernetes operators.')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help of a command')
    .configureHelp(helpLayout)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput(output);
  // Some commands have their own --version flag (of an API, of Kubernetes), which a flag of the program would hide. So --version is
  // declared only if no command is called.
  if (modules.size === 0) program.option('--version', 'print the version');
  const nodes = new Map<string, Command>();
  const nodeAt = (path: readonly string[]): Command => {
    const known = path.length === 0 ? program : nodes.get(path.join(' '));
    if (known !== undefined) return known;
    const node = nodeAt(path.slice(0, -1)).command(path.at(-1) ?? '');
    nodes.set(path.join(' '), node.description(groups[path.join(' ')] ?? ''));
    return node;
  };
  const leaves = new Map<CommandEntry, Command>();
  for (const entry of table) {
    const leaf = nodeAt(entry.path).description(entry.summary);
    leaves.set(entry, leaf);
    const definition = modules.get(entry);
    if (definition === undefined) continue;
    declare(leaf, definition);
    leaf.action(() => {
      onCall({ entry, definition, options: leaf.optsWithGlobals(), args: leaf.args });
    });
  }
  return { program, leaves };
}

/** Declares the arguments, the flags and the help of a command. */
function declare(leaf: Command, { arguments: given = [], flags = {}, help }: DeclaredCommand): void {
  for (const [name, meaning, choices] of given) {
    const argument = new Argument(name, meaning);
    leaf.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const [name, flag] of Object.entries(flags)) flag.declare(leaf, name);
  if (help !== undefined) moreHelp(leaf, help);
}
