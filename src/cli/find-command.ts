import { Command, type Option } from 'commander';
import { globalFlags } from './flags/common.ts';
import { commands, type CommandEntry } from './program.ts';
import { versionFlags } from './version.ts';

/** The flags that may appear between the words of a command: `op-sdk -o json create api`. */
const globalOptions = globalFlags(new Command()).options;

/**
 * The words that may name a command: those before the first flag of a command's own and before `--`, so that neither the
 * value of a flag nor what is meant for somebody else is taken for a command.
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

/** The global flag that an argument is, or that its first letter is: `-q` of `-qojson`. */
function globalOption(argument: string): Option | undefined {
  const [name = ''] = argument.split('=');
  if (!name.startsWith('--')) return globalOptions.find(({ short }) => short === name.slice(0, 2));
  return globalOptions.find(({ long }) => long === name);
}

/** The entry whose path the leading words of `argv` spell; of several the longest. */
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
