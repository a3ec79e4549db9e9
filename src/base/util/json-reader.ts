/**
 * Readers for unchecked values: JSON, YAML, evaluated sources. A reader is a function from a value to a typed value. The reader of an
 * object or list is composed of the readers of its parts. Every problem is reported with its path, not only the first problem; the caller,
 * who knows the file, translates paths to places in the file.
 *
 *     const person = object({ name: string, age: number, kind: oneOf('cat', 'dog') }, { required: { name: "add `name: '…'`" } });
 *     const { value, problems } = readJson(person, input, 'a person');
 *
 * The caller adds codes and places when it turns `problems` into findings: `problemFindings(problems, locate, () => …)`.
 */
import { closestName } from './terminal-words.ts';
import { isJsonMap, type JsonMap } from './json-map.ts';
import {
  invalid,
  placeInside,
  readAt,
  readJson,
  unexpected,
  unknownFields,
  type JsonPath,
  type JsonPlace,
  type JsonProblem,
  type JsonReader,
  type ReadOf,
} from './read-json.ts';

const scalar =
  <T>(expected: string, is: (value: unknown) => value is T): JsonReader<T> =>
  (value, place) =>
    is(value) ? value : unexpected(value, place, expected, `write ${expected}`);

/** Accepts any value. */
export const unchecked: JsonReader<unknown> = (value) => value;

export const string: JsonReader<string> = (value, place) => {
  if (typeof value === 'string') return value;
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return unexpected(value, place, 'a string', isPlain ? place.style.fixes.quotes(value) : 'write a string');
};
export const bool = scalar('true or false', (value): value is boolean => typeof value === 'boolean');
export const number = scalar('a number', (value): value is number => typeof value === 'number');
export const integer = scalar('a whole number', (value): value is number => Number.isSafeInteger(value));

/** Accepts any object, regardless of its fields. */
export const anyObject: JsonReader<JsonMap> = (value, place) =>
  isJsonMap(value) ? value : unexpected(value, place, 'an object', place.style.fixes.map);

/** Returns a reader that accepts one of several strings. */
export function oneOf<const T extends string>(...allowed: readonly T[]): JsonReader<T> {
  const expected = allowed.map((item) => `'${item}'`).join(' or ');
  return (value, place) => {
    const found = allowed.find((item) => item === value);
    if (found !== undefined) return found;
    if (typeof value !== 'string') return unexpected(value, place, expected, `write ${expected}`);
    const closest = closestName(value, allowed);
    const fix = closest === undefined ? `write ${expected}` : `did you mean '${closest}'?`;
    return invalid(place, `expected ${expected}, got '${value}'`, fix);
  };
}

/**
 * Returns a reader that tries several readers and returns the first result without problems. If exactly one reader accepts the value itself
 * and rejects only parts of it, the problems of that reader are reported. Otherwise the problem is that the value is not `expected`.
 */
export function either<const R extends readonly JsonReader<unknown>[]>(
  expected: string,
  fix: string,
  ...readers: R
): JsonReader<ReadOf<R[number]>> {
  return (value, place) => {
    const refusals: (readonly JsonProblem[])[] = [];
    for (const reader of readers) {
      const read = readJson(reader, value, place.label, place);
      if (read.problems.length === 0) return read.value as ReadOf<R[number]> | undefined;
      refusals.push(read.problems);
    }
    const [meant, ...others] = refusals.filter((problems) =>
      problems.every(({ path }) => path.length > place.path.length),
    );
    if (meant === undefined || others.length > 0) return unexpected(value, place, expected, fix);
    for (const problem of meant) place.report(problem);
    return undefined;
  };
}

/** Returns a reader for a list. Items that cannot be read are left out. */
export function list<T>(items: JsonReader<T>): JsonReader<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return unexpected(value, place, 'an array', place.style.fixes.list);
    return (value as readonly unknown[]).flatMap((item, index): readonly T[] => {
      const read = readAt(items, item, placeInside(place, index));
      return read === undefined ? [] : [read];
    });
  };
}

/** Returns a reader for an object whose keys the user chooses. Values that cannot be read are left out. */
export function record<T>(values: JsonReader<T>): JsonReader<Readonly<Record<string, T>>> {
  return mapped(anyObject, (value, place) => {
    const read = Object.entries(value).flatMap(([name, field]): readonly (readonly [string, T])[] => {
      const item = field === undefined ? undefined : readAt(values, field, placeInside(place, name));
      return item === undefined ? [] : [[name, item]];
    });
    return Object.fromEntries(read);
  });
}

type Fields = Readonly<Record<string, JsonReader<unknown>>>;

/** The fields read from an object; fields that are missing or cannot be read are absent. */
export type ReadFields<F extends Fields> = { readonly [K in keyof F]?: ReadOf<F[K]> };

interface ObjectOptions<F extends Fields> {
  /** The required fields, each with the fix that is reported if the field is missing. Default: none. */
  readonly required?: { readonly [K in keyof F]?: string };
  /** Fixes for unknown fields, by field name. Default: remove the field, or correct its name. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Treatment of unknown fields. Default: `report`. */
  readonly others?: 'report' | 'ignore';
}

/** Returns a reader for an object with these fields. */
export function object<const F extends Fields>(
  fields: F,
  { required = {}, hints = {}, others = 'report' }: ObjectOptions<F> = {},
): JsonReader<ReadFields<F>> {
  const names = Object.keys(fields);
  return mapped(anyObject, (value, place) => {
    const unknown =
      others === 'ignore' ? [] : Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
    for (const name of unknown) reportUnknown(name, names, hints, place);
    for (const [name, fix] of Object.entries(required)) {
      if (!isMissing(value[name], place) || unknownFields in value) continue;
      place.report({ path: place.path, message: `${place.label} lacks \`${name}\``, fix: String(fix) });
    }
    const read = names.flatMap((name): readonly (readonly [string, unknown])[] => {
      const reader = fields[name];
      if (reader === undefined || isMissing(value[name], place)) return [];
      const field = readAt(reader, value[name], placeInside(place, name));
      return field === undefined ? [] : [[name, field]];
    });
    return Object.fromEntries(read) as ReadFields<F>;
  });
}

/** Replaces the name of the value in the messages of a reader: `named('a printer column', …)`. */
export function named<T>(label: string, reader: JsonReader<T>): JsonReader<T> {
  return (value, place) => reader(value, { ...place, label });
}

/** Maps each value that a reader could read. `make` may report a problem and return undefined. */
export function mapped<T, U>(
  reader: JsonReader<T>,
  make: (read: T, place: JsonPlace, value: unknown) => U | undefined,
): JsonReader<U> {
  return (value, place) => {
    const read = reader(value, place);
    return read === undefined ? undefined : make(read, place, value);
  };
}

/** A value with its path, so that later checks can report a problem at that path. */
export interface Located<T> {
  readonly value: T;
  readonly path: JsonPath;
}

/** Returns a reader that pairs each value that `reader` returns with the path of the value. */
export function located<T>(reader: JsonReader<T>): JsonReader<Located<T>> {
  return mapped(reader, (value, { path }) => ({ value, path }));
}

function reportUnknown(
  name: string,
  names: readonly string[],
  hints: Readonly<Record<string, string>>,
  { path, label, report }: JsonPlace,
): void {
  const closest = closestName(name, names);
  const correct = names.length === 0 ? 'remove it' : `remove it, or use one of ${names.join(', ')}`;
  const hint = Object.hasOwn(hints, name) ? hints[name] : undefined;
  const fix = hint ?? (closest === undefined ? correct : `did you mean \`${closest}\`?`);
  report({ path: [...path, name], isKey: true, message: `${label} has no property \`${name}\``, fix });
}

/** Returns true if a field has no value: undefined, or null if the style of the format treats null as missing. */
function isMissing(value: unknown, { style }: JsonPlace): boolean {
  return value === undefined || (value === null && style.nullIsMissing);
}
