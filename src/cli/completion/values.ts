import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Argument, Option } from 'commander';
import { projectWords } from './project-words.ts';

/** Context in which a value is completed. */
export interface ValueContext {
  /** Absolute. */
  readonly cwd: string;
  /** The words of the command: `['create', 'api']`. */
  readonly command: readonly string[];
  /** The words of the line before the one that is completed. */
  readonly words: readonly string[];
  /** Part of the value that has been typed. */
  readonly typed: string;
  /** The formats of `-o` that the command has. */
  readonly formats: readonly string[];
}

/** Commands about kinds of the project. */
const projectCommands: ReadonlySet<string> = new Set(['api', 'webhook']);

/** Values that belong to an option of any command. */
const enumerations: Readonly<Record<string, readonly string[]>> = { license: ['apache2', 'none'] };

/** The values that an option may have, as far as they are known. */
export function optionValues(option: Option, context: ValueContext): readonly string[] {
  const name = option.name();
  if (option.argChoices !== undefined) return option.argChoices;
  if (name === 'spoke') return namesOf('version', context);
  if (name === 'output') return ['text', 'json', ...context.formats];
  if (projectCommands.has(context.command.at(-1) ?? '') && isNamed(name)) return namesOf(name, context);
  return enumerations[name] ?? (isPath(option.flags) ? pathsFor(context) : []);
}

/** The values that a positional argument may have. */
export function argumentValues(argument: Argument, context: ValueContext): readonly string[] {
  if (argument.argChoices !== undefined) return argument.argChoices;
  return isPath(`<${argument.name()}>`) || pathArguments.has(argument.name()) ? pathsFor(context) : [];
}

/** Arguments that are paths, or may be. */
const pathArguments: ReadonlySet<string> = new Set(['bundle', 'catalog', 'source', 'old', 'new']);

const isPath = (flags: string): boolean => /[<[](?:file|folder|path)(?:\.\.\.)?[>\]]/.test(flags);

type Named = 'group' | 'version' | 'kind';
const isNamed = (name: string): name is Named => ['group', 'version', 'kind'].includes(name);

/** The groups, versions or kinds of the project that go with what the line says of the others. */
function namesOf(name: Named, { cwd, words }: ValueContext): readonly string[] {
  const given = (other: Named): string | undefined => {
    const at = words.lastIndexOf(`--${other}`);
    const joined = words.findLast((word) => word.startsWith(`--${other}=`));
    return at === -1 ? joined?.slice(`--${other}=`.length) : words[at + 1];
  };
  // A version belongs to a kind, and a kind to a group; not the other way round.
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

/** Names that no shell expands: what is completed is expanded by some of them. */
const plain = /^[A-Za-z0-9._@+-]+$/;

/** Files and folders that begin with what has been typed; folders end with a slash. */
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
    // No such folder: nothing to offer.
    return [];
  }
}
