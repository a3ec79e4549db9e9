import { isDeepStrictEqual } from 'node:util';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { isJsonMap, jsonMapOf } from '../../base/util/json-map.ts';
import {
  appendToYamlList,
  editYaml,
  parseYaml,
  removeFromYamlList,
  setInYamlMap,
  toYaml,
} from '../../kubernetes/yaml/index.ts';
import { LAYOUT_KEY, layout } from './layout.ts';

/** Commands whose runs PROJECT records, because their files come from templates: `op-sdk upgrade` repeats them. */
const scaffoldCommands = [
  'init',
  'create api',
  'create webhook',
  'create monitoring',
  'edit',
  'delete api',
] as const;

/** A run of a command that scaffolded files, as PROJECT records it. */
export interface RecordedCommand {
  readonly command: (typeof scaffoldCommands)[number];
  /** Values of the flags, by their names without dashes. Answers to questions are recorded as flags. */
  readonly flags: Readonly<Record<string, string | boolean>>;
  /** Package manager for which `init` scaffolded, such as `npm` or `yarn/4`. */
  readonly packageManager?: string | undefined;
  /** Version of op-sdk whose files the run has left in the project, if a later version could not repeat it. */
  readonly cliVersion?: string | undefined;
}

/** Flags of a command as they were given; those without a value are left out of the record. */
export type GivenFlags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const place = ['plugins', LAYOUT_KEY, 'commands'] as const;

/** Returns the record of a run. Flags without a value, and `force` if it is false, are left out; lists are joined by commas. */
export function commandRecord(
  command: RecordedCommand['command'],
  given: GivenFlags,
  packageManager?: string,
): RecordedCommand {
  const flags = Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || (name === 'force' && value === false)) return [];
    return [[name, typeof value === 'object' ? value.join(',') : value] as const];
  });
  return {
    command,
    flags: Object.fromEntries(flags),
    ...(packageManager === undefined ? {} : { packageManager }),
  };
}

/**
 * Adds a run to the record in the text of PROJECT. Runs that it repeats or takes back leave no trace if they leave none in other files: a
 * kind that was deleted with its sources before anything else was scaffolded, a scope that was changed back.
 * @throws OpSdkError `project/cannot-edit` with the text to change by hand
 */
export function recordCommand(text: string, run: RecordedCommand): string {
  const former = listIn(text);
  const runs = former.flatMap((item) => runOf(item) ?? []);
  const wanted = runs.length === former.length ? followedBy(runs, run) : [...runs, run];
  const byHand = toYaml({ plugins: { [LAYOUT_KEY]: { commands: wanted } } });
  const same = wanted.findIndex((each, index) => !isDeepStrictEqual(each, runOf(former[index])));
  const kept = same === -1 ? wanted.length : same;
  return editYaml(layout.projectFile, byHand, () => {
    let edited = text;
    for (let last = former.length - 1; last >= kept; last--)
      edited = removeFromYamlList(edited, place, (_item, index) => index === last);
    for (const each of wanted.slice(kept)) edited = appendToYamlList(edited, place, each);
    return edited;
  });
}

/** Returns the runs that have the same effect as the given ones and a further one, in their order. */
function followedBy(runs: readonly RecordedCommand[], run: RecordedCommand): readonly RecordedCommand[] {
  if (run.command === 'edit') return editedBy(runs, run);
  if (run.command === 'delete api') return deletedBy(runs, run);
  const former = runs.findLastIndex((known) => isSameRun(known, run));
  if (former === -1) return [...runs, run];
  // An upgrade has left out the former run, so that files of several versions would meet in its place.
  if (runs[former]?.cliVersion !== undefined) return [...runs.toSpliced(former, 1), run];
  const isRedone = runs.slice(former + 1).some((later) => affects(later, run));
  // In a copy, nothing that a second run overwrites is anybody's.
  return isRedone ? [...runs, { ...run, flags: { ...run.flags, force: true } }] : runs;
}

/**
 * Returns true if a run changes what an earlier one scaffolded, or how it would scaffold again: it edits the project, deletes the kind, or
 * is about a kind of the same name in another group, because names in the code then include the group.
 */
function affects(later: RecordedCommand, { flags }: RecordedCommand): boolean {
  if (later.command === 'edit') return true;
  const { group, kind, version } = later.flags;
  if (kind === undefined || kind !== flags['kind']) return false;
  if (group !== flags['group']) return true;
  return later.command === 'delete api' && (version === undefined || version === flags['version']);
}

/**
 * The last scope counts, and none if it is that of `init`: except after `init --namespaced`, as `edit --namespaced` writes WATCH_NAMESPACE
 * elsewhere. `multigroup` changes no file but PROJECT.
 */
function editedBy(runs: readonly RecordedCommand[], run: RecordedCommand): readonly RecordedCommand[] {
  const { multigroup: _multigroup, ...flags } = run.flags;
  const { namespaced } = flags;
  if (namespaced === undefined) return hasFlags(flags) ? addedOnce(runs, { ...run, flags }) : runs;
  const present = runs.findLast(({ command, flags: known }) => isScope(command, known))?.flags['namespaced'];
  if (namespaced === (present ?? false)) {
    const { namespaced: _same, ...more } = flags;
    return hasFlags(more) ? addedOnce(runs, { ...run, flags: more }) : runs;
  }
  const isOfInit = namespaced === (runs[0]?.flags['namespaced'] ?? false);
  if (isOfInit && namespaced === true) return addedOnce(runs, { ...run, flags });
  const others = runs.flatMap((known): readonly RecordedCommand[] => {
    if (known.command !== 'edit') return [known];
    const { namespaced: _former, ...rest } = known.flags;
    return hasFlags(rest) ? [{ ...known, flags: rest }] : [];
  });
  const { namespaced: _scope, ...rest } = flags;
  const left = isOfInit ? rest : flags;
  return hasFlags(left) ? addedOnce(others, { ...run, flags: left }) : others;
}

/** Adds an edit, in place of the same one unless something was scaffolded since: files begin with the header of their time. */
function addedOnce(runs: readonly RecordedCommand[], run: RecordedCommand): readonly RecordedCommand[] {
  if (isSameRun(runs.at(-1), run)) return runs;
  const scaffolded = runs.findLastIndex(({ command }) => command !== 'edit');
  return [...runs.filter((known, index) => index < scaffolded || !isSameRun(known, run)), run];
}

function isScope(command: string, flags: RecordedCommand['flags']): boolean {
  return ['init', 'edit'].includes(command) && Object.hasOwn(flags, 'namespaced');
}

/**
 * Sources that are deleted too leave nothing to repeat, unless something was scaffolded beside them: a copied version, a kind whose names
 * include the group, or entries of webhooks, whose order stays.
 */
function deletedBy(runs: readonly RecordedCommand[], run: RecordedCommand): readonly RecordedCommand[] {
  const { group, kind, version, sources } = run.flags;
  const isDeleted = ({ flags }: RecordedCommand): boolean =>
    flags['group'] === group &&
    flags['kind'] === kind &&
    (version === undefined || flags['version'] === version);
  const isEarlier = ({ command, flags }: RecordedCommand): boolean =>
    command === 'delete api' &&
    flags['sources'] === true &&
    flags['group'] === group &&
    flags['kind'] === kind &&
    (flags['version'] === undefined || flags['version'] === version);
  const start = runs.findLastIndex(isEarlier) + 1;
  const first = runs.findIndex((known, index) => index >= start && isDeleted(known));
  // A kind that no recorded run has made, such as an imported one, is in no copy.
  if (first === -1) return runs;
  const since = runs.slice(first);
  const leavesNothing =
    since.every((known) => known.command === 'edit' || isDeleted(known)) ||
    since.every((known) => known.cliVersion !== undefined || !isDeleted(known));
  return sources === true && leavesNothing
    ? runs.filter((known, index) => index < first || !isDeleted(known))
    : [...runs, run];
}

function hasFlags({ force: _force, ...flags }: RecordedCommand['flags']): boolean {
  return Object.keys(flags).length > 0;
}

/** Returns true if two runs differ at most in `--force`. */
function isSameRun(a: RecordedCommand | undefined, b: RecordedCommand): boolean {
  const { force: _a, ...flags } = a?.flags ?? {};
  const { force: _b, ...others } = b.flags;
  return a?.command === b.command && isDeepStrictEqual(flags, others);
}

/** Returns true if an upgrade has left out the former run of a command, so that a new run replaces its record. */
export function isLeftOut(text: string, run: RecordedCommand): boolean {
  return listIn(text).some((item) => {
    const known = runOf(item);
    return known?.cliVersion !== undefined && isSameRun(known, run);
  });
}

/**
 * Records in the text of PROJECT that a version of op-sdk could not repeat runs, so that their files stay of the version before.
 * @param positions positions of the runs in the record
 * @param cliVersion version of the files
 * @throws OpSdkError `project/cannot-edit` with the text to change by hand
 */
export function recordLeftOut(text: string, positions: readonly number[], cliVersion: string): string {
  return editYaml(layout.projectFile, toYaml({ cliVersion }), () =>
    positions.reduce((edited, index) => setInYamlMap(edited, [...place, index], { cliVersion }), text),
  );
}

/**
 * Returns the recorded runs of commands, in their order.
 * @returns undefined if PROJECT records none, or not the run of `init`: a version of op-sdk without this record made the project
 * @throws OpSdkError `project/invalid` with a finding for each entry that is none
 */
export function recordedCommands(text: string): readonly RecordedCommand[] | undefined {
  const document = parseYaml(text, layout.projectFile);
  const list = place.reduce<unknown>((value, key) => jsonMapOf(value)[key], document.value);
  if (list === undefined) return undefined;
  const invalid = (path: readonly (string | number)[], expected: string, value: unknown): Finding => ({
    code: 'project/invalid',
    message: `${path.slice(2).join('.')}: expected ${expected}, got ${JSON.stringify(value)}`,
    where: document.locate(path),
    fix: ['restore PROJECT from version control', 'remove the entry; files of that command are then unknown'],
  });
  if (!Array.isArray(list)) throw new OpSdkError(invalid(place, 'a list', list));
  const findings: Finding[] = [];
  const runs: RecordedCommand[] = [];
  for (const [index, item] of (list as readonly unknown[]).entries()) {
    const { command, flags = {}, packageManager, cliVersion } = jsonMapOf(item);
    const path = [...place, index];
    const found = scaffoldCommands.find((each) => each === command);
    if (found === undefined) {
      findings.push(invalid([...path, 'command'], scaffoldCommands.join(', '), command));
    } else if (!isJsonMap(flags)) {
      findings.push(invalid([...path, 'flags'], 'a map', flags));
    } else {
      for (const [name, value] of Object.entries(flags)) {
        const expected = expectedOf(found, name, value);
        if (expected !== undefined) findings.push(invalid([...path, 'flags', name], expected, value));
      }
      runs.push({
        command: found,
        flags: flags as RecordedCommand['flags'],
        packageManager: typeof packageManager === 'string' ? packageManager : undefined,
        ...(typeof cliVersion === 'string' ? { cliVersion } : {}),
      });
    }
  }
  const [first, ...more] = findings;
  if (first !== undefined) throw new OpSdkError([first, ...more]);
  return runs[0]?.command === 'init' ? runs : undefined;
}

/** Flags that decide how a run reports or that it scaffolds nothing. They are never recorded, and a run with one cannot be repeated. */
const unrecorded = ['help', 'dry-run', 'output', 'quiet', 'verbose', 'color'];

/** @returns what was expected in place of a flag; undefined if it can be recorded */
function expectedOf(command: string, name: string, value: unknown): string | undefined {
  if (!/^[a-z][a-z-]*$/.test(name) || !['string', 'boolean'].includes(typeof value))
    return 'a flag with a string or a boolean';
  // Commands without a kind print the version of op-sdk.
  const isReport = name === 'version' && !/^(?:create (?:api|webhook)|delete api)$/.test(command);
  if (isReport || unrecorded.includes(name.replace(/^no-/, ''))) return 'a flag that decides about files';
  return String(value).includes('\0') ? 'a value without NUL' : undefined;
}

/** Returns an item of the record, with no flags if it lists none; undefined if it is not a recorded command. */
function runOf(item: unknown): RecordedCommand | undefined {
  const { command, flags } = jsonMapOf(item);
  const isRun =
    scaffoldCommands.some((each) => each === command) && (flags === undefined || isJsonMap(flags));
  return isRun ? ({ flags: {}, ...jsonMapOf(item) } as unknown as RecordedCommand) : undefined;
}

function listIn(text: string): readonly unknown[] {
  const list = place.reduce<unknown>(
    (value, key) => jsonMapOf(value)[key],
    parseYaml(text, layout.projectFile).value,
  );
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}
