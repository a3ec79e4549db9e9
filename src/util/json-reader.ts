/**
 * Readers of values that nobody has checked: JSON, YAML, evaluated sources. A reader is a function from a value to a typed one; it is put
 * together from others as the value is from its parts. All that is wrong is reported, not the first thing only, each with its path; where
 * that is in a file finds who knows the file.
 *
 *     const person = object({ name: string, age: number, kind: oneOf('cat', 'dog') }, { required: { name: "add `name: '…'`" } });
 *     const { value, problems } = readJson(person, input, 'a person');
 *
 * `problems` get their code from whoever turns them into findings: `problems.map((p) => ({ code: …, ...p, where: locate(p) }))`.
 */
import { closestName } from './closest-name.ts';

/** The keys and indices that lead from a value to a part of it. */
export type JsonPath = readonly (string | number)[];

/** Something that is not as expected. */
export interface JsonProblem {
  /** Of what is wrong; of the object around it, if something is missing. */
  readonly path: JsonPath;
  /** The name of a field is wrong, rather than its value. */
  readonly isKey: boolean;
  /** Subject, what was expected, what was found. */
  readonly message: string;
  readonly fix: string;
}

/** Where a reader is. */
export interface JsonPlace {
  readonly path: JsonPath;
  /** For messages: `` `size` of a column ``. */
  readonly label: string;
  readonly report: (problem: Omit<JsonProblem, 'isKey'> & { readonly isKey?: boolean }) => void;
}

/** Gives the typed value; undefined, and a report, if it is another one. Never called for what is not there. */
export type JsonReader<T> = (value: unknown, place: JsonPlace) => T | undefined;

/** What a reader reads. */
export type ReadOf<R> = R extends JsonReader<infer T> ? T : never;

/** Stands for a value that cannot be known, which has been reported by whoever made it: readers pass over it. */
export const unknownJson = Symbol('a value that cannot be known');
/** The key under which an object says that it may have fields that are not known: none of them counts as missing. */
export const unknownFields = Symbol('fields that cannot be known');

/**
 * Reads a value.
 * @param label the whole, for messages
 * @returns what could be read, and all that could not
 */
export function readJson<T>(
  reader: JsonReader<T>,
  value: unknown,
  label: string,
): { readonly value: T | undefined; readonly problems: readonly JsonProblem[] } {
  const problems: JsonProblem[] = [];
  const report: JsonPlace['report'] = (problem) => void problems.push({ isKey: false, ...problem });
  return { value: readAt(reader, value, { path: [], label, report }), problems };
}

function readAt<T>(reader: JsonReader<T>, value: unknown, place: JsonPlace): T | undefined {
  return value === unknownJson ? undefined : reader(value, place);
}

/** What a value is, for messages: `a string`, `an array`, `null`. */
export function describeJson(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'symbol') return value.description ?? 'another value';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Reports that a value is not what it should be. */
export function unexpected(value: unknown, place: JsonPlace, expected: string, fix: string): undefined {
  const { path, label } = place;
  place.report({ path, message: `${label}: expected ${expected}, got ${describeJson(value)}`, fix });
}

const scalar =
  <T>(expected: string, is: (value: unknown) => value is T): JsonReader<T> =>
  (value, place) =>
    is(value) ? value : unexpected(value, place, expected, `write ${expected}`);

export const string = scalar('a string', (value): value is string => typeof value === 'string');
export const flag = scalar('true or false', (value): value is boolean => typeof value === 'boolean');
export const number = scalar('a number', (value): value is number => typeof value === 'number');

/** One of some texts. */
export function oneOf<const T extends string>(...allowed: readonly T[]): JsonReader<T> {
  const expected = allowed.map((item) => `'${item}'`).join(' or ');
  return (value, place) => {
    const found = allowed.find((item) => item === value);
    if (found !== undefined) return found;
    if (typeof value !== 'string') return unexpected(value, place, expected, `write ${expected}`);
    const closest = closestName(value, allowed);
    const fix = closest === undefined ? `write ${expected}` : `did you mean '${closest}'?`;
    const { path, label } = place;
    place.report({ path, message: `${label}: expected ${expected}, got '${value}'`, fix });
    return undefined;
  };
}

/** The first of several readers that takes the value. */
export function either<const R extends readonly JsonReader<unknown>[]>(
  expected: string,
  fix: string,
  ...readers: R
): JsonReader<ReadOf<R[number]>> {
  return (value, place) => {
    for (const reader of readers) {
      const read = readJson(reader, value, place.label);
      if (read.problems.length === 0) return read.value as ReadOf<R[number]> | undefined;
    }
    return unexpected(value, place, expected, fix);
  };
}

/** A list; items that cannot be read are left out. */
export function list<T>(items: JsonReader<T>): JsonReader<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return unexpected(value, place, 'an array', 'write an array: [ … ]');
    return (value as readonly unknown[]).flatMap((item, index): readonly T[] => {
      const inner = { ...place, path: [...place.path, index], label: `an item of ${place.label}` };
      const read = readAt(items, item, inner);
      return read === undefined ? [] : [read];
    });
  };
}

/** An object whose keys are the user's; values that cannot be read are left out. */
export function record<T>(values: JsonReader<T>): JsonReader<Readonly<Record<string, T>>> {
  return (value, place) => {
    if (!isObject(value)) return unexpected(value, place, 'an object', 'write an object: { … }');
    const read = Object.entries(value).flatMap(([name, field]): readonly (readonly [string, T])[] => {
      const item = field === undefined ? undefined : readAt(values, field, fieldPlace(place, name));
      return item === undefined ? [] : [[name, item]];
    });
    return Object.fromEntries(read);
  };
}

type Fields = Readonly<Record<string, JsonReader<unknown>>>;

/** What an object gives: fields that are not there, or cannot be read, are missing. */
export type ReadFields<F extends Fields> = { readonly [K in keyof F]?: ReadOf<F[K]> };

export interface ObjectOptions<F extends Fields> {
  /** The fields that must be there, each with how to mend it. Default: none. */
  readonly required?: { readonly [K in keyof F]?: string };
  /** How to mend unknown fields, by their names. Default: to remove them, or to correct the name. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** An object of known fields. A field that is `undefined` is not there. */
export function object<const F extends Fields>(
  fields: F,
  { required = {}, hints = {} }: ObjectOptions<F> = {},
): JsonReader<ReadFields<F>> {
  const names = Object.keys(fields);
  return (value, place) => {
    if (!isObject(value)) return unexpected(value, place, 'an object', 'write an object: { … }');
    for (const name of Object.keys(value).filter((key) => !Object.hasOwn(fields, key)))
      reportUnknown(name, names, hints, place);
    for (const [name, fix] of Object.entries(required)) {
      if (value[name] !== undefined || unknownFields in value) continue;
      place.report({ path: place.path, message: `${place.label} lacks \`${name}\``, fix: String(fix) });
    }
    const read = names.flatMap((name): readonly (readonly [string, unknown])[] => {
      const reader = fields[name];
      if (reader === undefined || value[name] === undefined) return [];
      const field = readAt(reader, value[name], fieldPlace(place, name));
      return field === undefined ? [] : [[name, field]];
    });
    return Object.fromEntries(read) as ReadFields<F>;
  };
}

/** Another name in messages than that of the place: `named('a printer column', …)`. */
export function named<T>(label: string, reader: JsonReader<T>): JsonReader<T> {
  return (value, place) => reader(value, { ...place, label });
}

/** A value with its path, for later checks that point at it. */
export interface Located<T> {
  readonly value: T;
  readonly path: JsonPath;
}

/** What a reader gives, with its path. */
export function located<T>(reader: JsonReader<T>): JsonReader<Located<T>> {
  return (value, place) => {
    const read = reader(value, place);
    return read === undefined ? undefined : { value: read, path: place.path };
  };
}

function fieldPlace(place: JsonPlace, name: string): JsonPlace {
  const label = place.path.length === 0 ? `\`${name}\`` : `\`${name}\` of ${place.label}`;
  return { ...place, path: [...place.path, name], label };
}

function reportUnknown(
  name: string,
  names: readonly string[],
  hints: Readonly<Record<string, string>>,
  { path, label, report }: JsonPlace,
): void {
  const closest = closestName(name, names);
  const correct = names.length === 0 ? 'remove it' : `remove it, or use one of ${names.join(', ')}`;
  const fix = hints[name] ?? (closest === undefined ? correct : `did you mean \`${closest}\`?`);
  report({ path: [...path, name], isKey: true, message: `${label} has no property \`${name}\``, fix });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
