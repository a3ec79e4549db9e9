/**
 * Readers for unchecked values: JSON, YAML, evaluated sources. A reader is a function from a value to a typed value; readers are composed
 * as the value is composed of its parts. Every problem is reported, not only the first, with its path; the caller, who knows the file,
 * translates paths to places in it.
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

/** An object, whatever is in it. */
export const anyObject: JsonReader<JsonMap> = (value, place) =>
  isJsonMap(value) ? value : unexpected(value, place, 'an object', place.style.fixes.map);

/** One of several strings. */
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
 * Tries several readers and returns the first result without problems. If exactly one reader accepts the value itself and rejects only
 * parts of it, its problems are reported instead of `expected`.
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

/** A list; items that cannot be read are left out. */
export function list<T>(items: JsonReader<T>): JsonReader<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return unexpected(value, place, 'an array', place.style.fixes.list);
    return (value as readonly unknown[]).flatMap((item, index): readonly T[] => {
      const read = readAt(items, item, placeInside(place, index));
      return read === undefined ? [] : [read];
    });
  };
}

/** An object whose keys are the user's; values that cannot be read are left out. */
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
  /** The required fields, each with the fix to report if it is missing. Default: none. */
  readonly required?: { readonly [K in keyof F]?: string };
  /** Fixes for unknown fields, by their names. Default: remove the field, or correct its name. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Treatment of unknown fields. Default: `report`. */
  readonly others?: 'report' | 'ignore';
}

/** An object of known fields. */
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

/** Replaces the label of the place in messages: `named('a printer column', …)`. */
export function named<T>(label: string, reader: JsonReader<T>): JsonReader<T> {
  return (value, place) => reader(value, { ...place, label });
}

/** Maps each value that could be read; the mapping may report a problem and give undefined. */
export function mapped<T, U>(
  reader: JsonReader<T>,
  make: (read: T, place: JsonPlace, value: unknown) => U | undefined,
): JsonReader<U> {
  return (value, place) => {
    const read = reader(value, place);
    return read === undefined ? undefined : make(read, place, value);
  };
}

/** A value with its path, for later checks that point at it. */
export interface Located<T> {
  readonly value: T;
  readonly path: JsonPath;
}

/** Pairs each value that a reader gives with its path. */
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

/** Returns true if a field has no value. */
function isMissing(value: unknown, { style }: JsonPlace): boolean {
  return value === undefined || (value === null && style.nullIsMissing);
}
