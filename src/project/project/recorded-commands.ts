import { isDeepStrictEqual } from 'node:util';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { isJsonMap, jsonMapOf } from '../../base/util/json-map.ts';
import { addToYamlList, editYaml, parseYaml, toYaml } from '../../kubernetes/yaml/index.ts';
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
 * Adds a run to the record in the text of PROJECT. A repetition that changes nothing is not added: the last equal run counts if no later one
 * edits the project or deletes from it.
 * @throws OpSdkError `project/cannot-edit` with the text to add by hand
 */
export function recordCommand(text: string, run: RecordedCommand): string {
  const { force: _force, ...flags } = run.flags;
  const known = listIn(text);
  const isSame = (item: unknown): boolean => {
    const { command, flags: present } = jsonMapOf(item);
    const { force: _ignored, ...rest } = jsonMapOf(present);
    return command === run.command && isDeepStrictEqual(rest, flags);
  };
  const last = known.findLastIndex(isSame);
  const reverts = (item: unknown): boolean =>
    ['edit', 'delete api'].includes(String(jsonMapOf(item)['command']));
  if (last !== -1 && !known.slice(last + 1).some(reverts)) return text;
  // An entry that equals one before it would not be added, so a number tells them apart.
  const repeated = known.filter((item) => isSame(item)).length;
  const entry = { ...run, ...(repeated === 0 ? {} : { run: repeated + 1 }) };
  const byHand = toYaml({ plugins: { [LAYOUT_KEY]: { commands: [entry] } } });
  return editYaml(layout.projectFile, byHand, () => addToYamlList(text, place, entry));
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
    const { command, flags = {}, packageManager } = jsonMapOf(item);
    const path = [...place, index];
    const found = scaffoldCommands.find((each) => each === command);
    if (found === undefined) {
      findings.push(invalid([...path, 'command'], scaffoldCommands.join(', '), command));
    } else if (!isJsonMap(flags)) {
      findings.push(invalid([...path, 'flags'], 'a map', flags));
    } else {
      const wrong = Object.entries(flags).filter(
        ([name, value]) => !/^[a-z][a-z-]*$/.test(name) || !['string', 'boolean'].includes(typeof value),
      );
      for (const [name, value] of wrong)
        findings.push(invalid([...path, 'flags', name], 'a flag with a string or a boolean', value));
      runs.push({
        command: found,
        flags: flags as RecordedCommand['flags'],
        packageManager: typeof packageManager === 'string' ? packageManager : undefined,
      });
    }
  }
  const [first, ...more] = findings;
  if (first !== undefined) throw new OpSdkError([first, ...more]);
  return runs[0]?.command === 'init' ? runs : undefined;
}

function listIn(text: string): readonly unknown[] {
  const list = place.reduce<unknown>(
    (value, key) => jsonMapOf(value)[key],
    parseYaml(text, layout.projectFile).value,
  );
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}
