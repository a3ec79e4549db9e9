import type { Finding, FindingCode, Where } from '../../../../base/errors/index.ts';
import type { YamlDocument } from '../../../../kubernetes/yaml/index.ts';
import type { ValidatorName } from '../rules/validators.ts';
import type { Complain, FieldPath, Place, PlacedDocument, PlacedFile, AnyReport } from '../types.ts';

type Level = 'error' | 'warning';

/** A single finding of a validator. */
export interface BundleResult {
  readonly validator: ValidatorName;
  readonly rule: FindingCode;
  readonly level: Level;
  readonly message: string;
  readonly where: Where | undefined;
  /** Path of the field in the document, from its root; undefined for a finding about a file. */
  readonly path: FieldPath | undefined;
  readonly fix: readonly string[];
}

interface Noted extends Omit<BundleResult, 'where'> {
  readonly place: Place;
}

/** Collects findings that give a field as their location. At the end, looks up the line numbers of the fields. */
export interface FindingCollector {
  of(validator: ValidatorName): AnyReport;
  /** Adds findings that already have line numbers. */
  add(validator: ValidatorName, level: Level, findings: readonly Finding[]): void;
  finish(): readonly BundleResult[];
}

/** Maximum number of findings for one file. Nobody would read more, and looking up the line numbers of many more would take long. */
const MOST_OF_FILE = 100;

/** Returns an empty collector. It looks up line numbers at the end, file by file, so that only one syntax tree is in memory at a time. */
export function collectFindings(): FindingCollector {
  const all: (Noted | BundleResult)[] = [];
  const counts = new Map<string, number>();
  const dropped = new Map<string, { readonly first: Noted; count: number }>();
  const note = (noted: Noted): void => {
    const { place, validator, level } = noted;
    const key = `${level} ${validator} ${fileOf(place)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= MOST_OF_FILE) {
      all.push(noted);
      return;
    }
    const rest = dropped.get(key) ?? { first: noted, count: 0 };
    rest.count += 1;
    dropped.set(key, rest);
  };
  const reports =
    (validator: ValidatorName, level: Level): Complain =>
    (rule, place, message, ...fix) => {
      const path = 'file' in place ? undefined : place[1];
      note({ validator, rule, level, message: clip(message), path, fix, place });
    };
  return {
    of: (validator) => ({ error: reports(validator, 'error'), warn: reports(validator, 'warning') }),
    add(validator, level, findings) {
      for (const { code, message, where, fix = [] } of findings)
        all.push({ validator, rule: code, level, message, where, path: undefined, fix });
    },
    finish() {
      const places = lookUp(all.filter((item) => 'place' in item));
      const results = all.map((item): BundleResult => {
        if (!('place' in item)) return item;
        const { place, ...result } = item;
        return { ...result, where: places.get(item) ?? { file: fileOf(place) } };
      });
      const counted = [...dropped.values()].map(({ first, count }): BundleResult => {
        const { validator, rule, level, place } = first;
        const file = fileOf(place);
        // The message says "at least", because rules stop reporting after some number of findings, so that the actual number may be larger
        // than the count.
        const message = `${file} has at least ${count} more findings, which are not listed`;
        return { validator, rule, level, message, where: { file }, path: undefined, fix: [] };
      });
      return [...results, ...counted];
    },
  };
}

function fileOf(place: Place): string {
  return 'file' in place ? place.file : place[0].file;
}

const MOST_CHARACTERS = 1000;

/** Shortens a message. Messages quote file contents and may therefore be of any length. */
function clip(message: string): string {
  return message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message;
}

function lookUp(all: readonly Noted[]): ReadonlyMap<Noted, Where> {
  const places = new Map<Noted, Where>();
  const byDocument = new Map<PlacedDocument, (readonly [Noted, FieldPath])[]>();
  for (const noted of all) {
    const { place } = noted;
    if ('file' in place) {
      places.set(noted, whereOf(place));
      continue;
    }
    const [document, path] = place;
    const group = byDocument.get(document) ?? [];
    group.push([noted, path]);
    byDocument.set(document, group);
  }
  for (const [document, group] of byDocument) {
    const tree: YamlDocument = document.reread();
    for (const [noted, path] of group) places.set(noted, tree.locate(path));
  }
  return places;
}

function whereOf({ file, line, column = 1 }: PlacedFile): Where {
  return line === undefined ? { file } : { file, line, column };
}

/** A finding as it is shown to people: once, with all validators that report it. */
export interface JoinedFinding extends Finding {
  readonly level: Level;
  readonly validators: readonly ValidatorName[];
}

/** Joins results that have the same message, location and level into one finding. */
export function joinResults(results: readonly BundleResult[]): readonly JoinedFinding[] {
  const joined = new Map<string, JoinedFinding & { readonly validators: ValidatorName[] }>();
  for (const { validator, rule, level, message, where, fix } of results) {
    const key = JSON.stringify([rule, level, message, where]);
    const known = joined.get(key);
    if (known === undefined)
      joined.set(key, {
        code: rule,
        message,
        level,
        validators: [validator],
        ...(where === undefined ? {} : { where }),
        ...(fix.length === 0 ? {} : { fix }),
      });
    else if (!known.validators.includes(validator)) known.validators.push(validator);
  }
  return [...joined.values()];
}

/** Returns the errors that operator-framework's validators report, each error once. Other errors do not make a bundle fail. */
export function countedErrors(results: readonly BundleResult[]): readonly Finding[] {
  return joinResults(results)
    .filter(isCountedError)
    .map(({ code, message, where, fix }) => ({
      code,
      message,
      ...(where === undefined ? {} : { where }),
      ...(fix === undefined ? {} : { fix }),
    }));
}

/** Returns true for an error that makes a bundle fail; false for an error that only op-sdk's own validator reports. */
export function isCountedError({ level, validators }: Pick<JoinedFinding, 'level' | 'validators'>): boolean {
  return level === 'error' && validators.some((name) => name !== 'opsdk');
}
