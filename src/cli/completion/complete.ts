/**
 * Answers a shell that requests completions on TAB. The shell runs `op-sdk complete -- <words>`; the user is typing the last of these
 * words. Prints a line for each candidate, then a directive. Loads only the names of the commands and the flags of the current command, but
 * no action and no other module of the project.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RootCommand, ShellCompDirective, type Command as TabCommand } from '@bomb.sh/tab';
import type { Command, Option, Argument } from 'commander';
import type { DeclaredCommand, CommandEntry } from '../command.ts';
import { commands, groups } from '../command-table.ts';
import { buildProgram, findCommand } from '../program.ts';
import { printed } from './printed.ts';

/**
 * Returns the lines to print for a completion: the candidates and a directive.
 * @param words words of the command line without `op-sdk`; the last word, which may be empty, is completed
 */
export async function completionsOf(words: readonly string[], cwd: string): Promise<readonly string[]> {
  const before = words.slice(0, -1);
  const entry = findCommand(before);
  const modules = new Map<CommandEntry, DeclaredCommand>();
  if (entry !== undefined) modules.set(entry, await entry.load());
  const { program, leaves } = buildProgram(modules, () => undefined);
  const typed = words.at(-1) ?? '';
  const context: ValueContext = {
    cwd,
    command: entry?.path ?? [],
    words: before,
    typed: typed.startsWith('--') ? typed.slice(typed.indexOf('=') + 1) : typed,
    formats: (entry && modules.get(entry)?.formats) ?? [],
  };
  const root = new RootCommand();
  addOptions(root, program, context);
  for (const [path, description] of Object.entries(groups)) root.command(path, description);
  for (const each of commands) {
    const command = root.command(each.path.join(' '), each.summary);
    const leaf = leaves.get(each);
    if (each !== entry || leaf === undefined) continue;
    addOptions(command, program, context);
    addOptions(command, leaf, context);
    for (const argument of leaf.registeredArguments)
      command.argument(
        argument.name(),
        (complete) => {
          for (const value of argumentValues(argument, context)) complete(value, '');
        },
        argument.variadic,
      );
  }
  const answer = printed(() => root.parse([...words]));
  const candidates = answer.slice(0, -1);
  const areFolders = candidates.length > 0 && candidates.every((line) => /^[^\t]*\/\t/.test(line));
  // After a folder the user can continue the path, so the shell adds no blank.
  const directive =
    ShellCompDirective.ShellCompDirectiveNoFileComp |
    (areFolders ? ShellCompDirective.ShellCompDirectiveNoSpace : 0);
  return [...candidates, `:${directive}`];
}

/** Declares the flags that are not hidden from help. */
function addOptions(to: TabCommand, from: Command, context: ValueContext): void {
  for (const option of from.options) {
    const name = option.long?.slice(2);
    if (option.hidden || name === undefined) continue;
    const short = option.short?.slice(1);
    if (!option.required && !option.optional) to.option(name, option.description, short ?? '');
    else to.option(name, option.description, valuesOf(option, context), short);
  }
  to.option('help', 'print help', 'h');
}

function valuesOf(option: Option, context: ValueContext) {
  return (complete: (value: string, description: string) => void): void => {
    for (const value of optionValues(option, context)) complete(value, '');
  };
}

interface ValueContext {
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** Words of the command, such as `['create', 'api']`. */
  readonly command: readonly string[];
  /** Words of the command line before the word that is completed. */
  readonly words: readonly string[];
  /** Part of the value that has been typed. */
  readonly typed: string;
  /** Formats of `-o` that the command supports. */
  readonly formats: readonly string[];
}

/** Last words of the commands whose flags name kinds of the project. */
const projectCommands: ReadonlySet<string> = new Set(['api', 'webhook']);

/** Values of options that have the same values in every command. */
const enumerations: Readonly<Record<string, readonly string[]>> = { license: ['apache2', 'none'] };

/** Returns the possible values of an option; an empty list if they are not known. */
function optionValues(option: Option, context: ValueContext): readonly string[] {
  const name = option.name();
  if (option.argChoices !== undefined) return option.argChoices;
  if (name === 'spoke') return namesOf('version', context);
  if (name === 'output') return ['text', 'json', ...context.formats];
  if (projectCommands.has(context.command.at(-1) ?? '') && isNamed(name)) return namesOf(name, context);
  return enumerations[name] ?? (isPath(option.flags) ? pathsFor(context) : []);
}

/** Returns the possible values of a positional argument; an empty list if they are not known. */
function argumentValues(argument: Argument, context: ValueContext): readonly string[] {
  if (argument.argChoices !== undefined) return argument.argChoices;
  return isPath(`<${argument.name()}>`) || pathArguments.has(argument.name()) ? pathsFor(context) : [];
}

/** Names of the arguments that are, or can be, a path. */
const pathArguments: ReadonlySet<string> = new Set(['bundle', 'catalog', 'source', 'old', 'new']);

const isPath = (flags: string): boolean => /[<[](?:file|folder|path)(?:\.\.\.)?[>\]]/.test(flags);

type Named = 'group' | 'version' | 'kind';
const isNamed = (name: string): name is Named => ['group', 'version', 'kind'].includes(name);

/**
 * Returns the groups, versions or kinds of the project that match the other flags on the line. For example, `--kind` offers only kinds of
 * the group that `--group` names.
 */
function namesOf(name: Named, { cwd, words }: ValueContext): readonly string[] {
  const given = (other: Named): string | undefined => {
    const at = words.lastIndexOf(`--${other}`);
    const joined = words.findLast((word) => word.startsWith(`--${other}=`));
    return at === -1 ? joined?.slice(`--${other}=`.length) : words[at + 1];
  };
  // Versions are filtered by the given kind and group, kinds by the given group.
  const above: Readonly<Record<Named, readonly Named[]>> = {
    group: [],
    kind: ['group'],
    version: ['group', 'kind'],
  };
  const fits = above[name].map((other) => [other, given(other)] as const);
  const fitting = projectWords(cwd).filter((word) =>
    fits.every(([other, value]) => value === undefined || word[other] === value),
  );
  return [...new Set(fitting.map((word) => word[name]))];
}

/** Matches names without characters that a shell would expand. Other names are not offered, because some shells expand completed words. */
const plain = /^[A-Za-z0-9._@+-]+$/;

/** Returns the files and folders whose paths begin with the typed text; folders end with a slash. */
function pathsFor({ cwd, typed }: ValueContext): readonly string[] {
  const folder = typed.includes('/') ? dirname(`${typed}x`) : '';
  if (folder !== '' && !folder.split('/').every((name) => name === '' || plain.test(name))) return [];
  const prefix = folder === '' ? '' : folder === '/' ? '/' : `${folder}/`;
  try {
    return readdirSync(join(prefix.startsWith('/') ? '' : cwd, prefix), { withFileTypes: true })
      .filter(({ name }) => plain.test(name) && (!name.startsWith('.') || typed.endsWith('/.')))
      .map((entry) => `${prefix}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort();
  } catch {
    // If the folder does not exist, nothing is offered.
    return [];
  }
}

/** Version of a kind that PROJECT lists. */
interface ProjectWord {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const entryStart = /^( *)- +/;
const field = /^ *(?:- +)?(group|version|kind): *["']?([A-Za-z0-9][A-Za-z0-9.-]*)["']? *(?:#.*)?$/;

/**
 * Reads the resources of PROJECT for completion. The YAML parser is not used, because it takes longer than the rest of a completion.
 * Entries in a form that op-sdk does not write are skipped. Values are returned only if no shell would expand them.
 * @param folder absolute path of the project
 */
function projectWords(folder: string): readonly ProjectWord[] {
  let text: string;
  try {
    text = readFileSync(join(folder, 'PROJECT'), 'utf8');
  } catch {
    // A completion cannot report errors, so an unreadable PROJECT gives no candidates.
    return [];
  }
  const [, resources = ''] = /^resources:[ \t]*\r?\n((?:(?:[ -].*)?\r?\n?)*)/m.exec(text) ?? [];
  const words: Record<string, string>[] = [];
  let margin: number | undefined;
  for (const line of resources.split(/\r?\n/)) {
    const start = entryStart.exec(line);
    if (start !== null && start[1] !== undefined && start[1].length === (margin ??= start[1].length))
      words.push({});
    const [, name, value] = field.exec(line) ?? [];
    const last = words.at(-1);
    if (last !== undefined && name !== undefined && value !== undefined) last[name] = value;
  }
  return words.flatMap(({ group, version, kind }) =>
    group === undefined || version === undefined || kind === undefined ? [] : [{ group, version, kind }],
  );
}
