import { Argument, Command, type Option, type OutputConfiguration } from 'commander';
import type { CommandEntry, DeclaredCommand, ParsedOptions } from './command.ts';
import { commands, groups } from './command-table.ts';
import type { Flags } from './flags/flag.ts';
import { globalFlags, moreHelp } from './flags/common.ts';
import { helpLayout } from './flags/help-layout.ts';
import { versionFlags } from './version.ts';

/** The flags that may appear between the words of a command: `op-sdk -o json create api`. */
const globalOptions = globalFlags(new Command()).options;

/**
 * Returns the words that may name a command: those before the first flag of a command and before `--`, so that neither the value of a flag
 * nor an argument for the operator is matched as a command.
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
    // The value of `-o json` is the next word; those of `-ojson` and `--output=json` are in the same one.
    if (/^(?:-[a-z]*o|--output)$/.test(argument)) index++;
  }
  return words;
}

/** Returns the global flag of an argument, also by its first letter: `-q` of `-qojson`. */
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

/** A parsed call of a command. */
export interface Invocation {
  readonly entry: CommandEntry;
  readonly definition: DeclaredCommand;
  readonly options: ParsedOptions<Flags>;
  readonly args: readonly string[];
}

/**
 * The commander tree: every command with its summary, the flags and arguments only of those in `modules`.
 * @param onCall gets the command that was called, its options and arguments
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
  // Commands have a --version of their own (of an API, of Kubernetes); here it would hide theirs.
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
