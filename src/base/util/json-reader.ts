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
import { isJsonMap, jsonListOf, type JsonMap } from './json-map.ts';
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
  type SchemaOf,
} from './read-json.ts';

/** Gives a reader the JSON Schema of the values that it accepts. */
export function withSchema<T>(schema: SchemaOf | undefined, read: JsonReader<T>): JsonReader<T> {
  const reader: JsonReader<T> = (value, place) => read(value, place);
  return Object.assign(reader, { schema });
}

/**
 * Adds to the JSON Schema of a reader: the text that an editor shows for the value, and limits that the code around the reader checks.
 * @param keywords keywords of JSON Schema, such as `examples` and `pattern`
 */
export function described<T>(
  description: string,
  reader: JsonReader<T>,
  keywords: JsonMap = {},
): JsonReader<T> {
  return withSchema((style) => ({ description, ...schemaOf(reader, style), ...keywords }), reader);
}

/**
 * Returns the JSON Schema (draft-07) of the values that a reader accepts, for editors.
 * @param style style in which the format is read; it decides whether null counts as missing
 */
export function schemaOf(reader: JsonReader<unknown>, style: Parameters<SchemaOf>[0]): JsonMap {
  if (reader.schema === undefined) throw new Error('a reader has no JSON Schema: give it one by withSchema');
  return reader.schema(style);
}

const typed = (type: string): SchemaOf => {
  const schema = { type };
  return () => schema;
};

function scalar<T>(type: string, expected: string, is: (value: unknown) => value is T): JsonReader<T> {
  return withSchema(typed(type), (value, place) =>
    is(value) ? value : unexpected(value, place, expected, `write ${expected}`),
  );
}

/** Accepts any value. */
export const unchecked: JsonReader<unknown> = withSchema(
  () => ({}),
  (value) => value,
);

export const string: JsonReader<string> = withSchema(typed('string'), (value, place) => {
  if (typeof value === 'string') return value;
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return unexpected(value, place, 'a string', isPlain ? place.style.fixes.quotes(value) : 'write a string');
});
export const bool = scalar(
  'boolean',
  'true or false',
  (value): value is boolean => typeof value === 'boolean',
);
export const number = scalar('number', 'a number', (value): value is number => typeof value === 'number');
export const integer = scalar('integer', 'a whole number', (value): value is number =>
  Number.isSafeInteger(value),
);

/** Accepts any object, regardless of its fields. */
export const anyObject: JsonReader<JsonMap> = withSchema(typed('object'), (value, place) =>
  isJsonMap(value) ? value : unexpected(value, place, 'an object', place.style.fixes.map),
);

/** Returns a reader that accepts one of several strings. */
export function oneOf<const T extends string>(...allowed: readonly T[]): JsonReader<T> {
  const expected = allowed.map((item) => `'${item}'`).join(' or ');
  const schema = { type: 'string', enum: allowed };
  return withSchema<T>(
    () => schema,
    (value, place) => {
      const found = allowed.find((item) => item === value);
      if (found !== undefined) return found;
      if (typeof value !== 'string') return unexpected(value, place, expected, `write ${expected}`);
      const closest = closestName(value, allowed);
      const fix = closest === undefined ? `write ${expected}` : `did you mean '${closest}'?`;
      return invalid(place, `expected ${expected}, got '${value}'`, fix);
    },
  );
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
  const schema: SchemaOf = (style) => ({ anyOf: readers.map((reader) => schemaOf(reader, style)) });
  return withSchema<ReadOf<R[number]>>(schema, (value, place) => {
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
  });
}

/** Returns a reader for a list. Items that cannot be read are left out. */
export function list<T>(items: JsonReader<T>): JsonReader<readonly T[]> {
  const schema: SchemaOf = (style) => ({ type: 'array', items: schemaOf(items, style) });
  return withSchema<readonly T[]>(schema, (value, place) => {
    if (!Array.isArray(value)) return unexpected(value, place, 'an array', place.style.fixes.list);
    return (value as readonly unknown[]).flatMap((item, index): readonly T[] => {
      const read = readAt(items, item, placeInside(place, index));
      return read === undefined ? [] : [read];
    });
  });
}

/** Returns a reader for an object whose keys the user chooses. Values that cannot be read are left out. */
export function record<T>(values: JsonReader<T>): JsonReader<Readonly<Record<string, T>>> {
  const schema: SchemaOf = (style) => ({ type: 'object', additionalProperties: schemaOf(values, style) });
  const read = mapped(anyObject, (value, place): Readonly<Record<string, T>> => {
    const read = Object.entries(value).flatMap(([name, field]): readonly (readonly [string, T])[] => {
      const item = field === undefined ? undefined : readAt(values, field, placeInside(place, name));
      return item === undefined ? [] : [[name, item]];
    });
    return Object.fromEntries(read);
  });
  return withSchema(schema, read);
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
  const schema: SchemaOf = (style) => objectSchema(fields, { required, others }, style);
  const read = mapped(anyObject, (value, place) => {
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
  return withSchema(schema, read);
}

function objectSchema<F extends Fields>(
  fields: F,
  { required, others }: Required<Pick<ObjectOptions<F>, 'required' | 'others'>>,
  style: Parameters<SchemaOf>[0],
): JsonMap {
  const properties = Object.entries(fields).map(([name, reader]) => {
    const schema = schemaOf(reader, style);
    return [name, style.nullIsMissing && !Object.hasOwn(required, name) ? schemaOrNull(schema) : schema];
  });
  const names = Object.keys(required);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonMap,
    ...(names.length === 0 ? {} : { required: names }),
    ...(others === 'report' ? { additionalProperties: false } : {}),
  };
}

/** Returns a reader that also accepts null, as a value that is absent. */
export function orNull<T>(reader: JsonReader<T>): JsonReader<T> {
  return withSchema<T>(
    (style) => schemaOrNull(schemaOf(reader, style)),
    (value, place) => (value === null ? undefined : reader(value, place)),
  );
}

/** Adds null to the values that a JSON Schema of a reader accepts. */
function schemaOrNull(schema: JsonMap): JsonMap {
  const { type, enum: values, anyOf } = schema;
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
    ...(values === undefined ? {} : { enum: [...jsonListOf(values), null] }),
    ...(anyOf === undefined ? {} : { anyOf: [...jsonListOf(anyOf), { type: 'null' }] }),
  };
}

/** Replaces the name of the value in the messages of a reader: `named('a printer column', …)`. */
export function named<T>(label: string, reader: JsonReader<T>): JsonReader<T> {
  return withSchema<T>(reader.schema, (value, place) => reader(value, { ...place, label }));
}

/** Maps each value that a reader could read. `make` may report a problem and return undefined. */
export function mapped<T, U>(
  reader: JsonReader<T>,
  make: (read: T, place: JsonPlace, value: unknown) => U | undefined,
): JsonReader<U> {
  return withSchema<U>(reader.schema, (value, place) => {
    const read = reader(value, place);
    return read === undefined ? undefined : make(read, place, value);
  });
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
