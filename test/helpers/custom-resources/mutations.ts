import type { JSONSchemaProps, JsonValue } from '../../../src/compiler/schema/index.ts';
import type { Random } from '../random.ts';
import { stringFor } from './strings.ts';

/** One change of a value: at its place, what is there instead; `undefined` takes it away. */
export interface Mutation {
  /** What was done: changes with the same name break the same sort of rule. */
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly value: JsonValue | undefined;
}

/** All single changes that may make the value invalid, or have something dropped from it. */
export function mutationsOf(schema: JSONSchemaProps, value: JsonValue, random: Random): Mutation[] {
  const found: Mutation[] = [];
  walk(schema, value, [], found, random);
  return found;
}

/** The value with the change; the value itself stays as it was. */
export function applyMutation(
  value: JsonValue,
  { path, value: changed }: Pick<Mutation, 'path' | 'value'>,
): JsonValue {
  const copy = structuredClone(value);
  const [last] = path.slice(-1);
  if (last === undefined) return changed ?? null;
  let parent = copy as Record<string | number, JsonValue>;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, JsonValue>;
  if (changed === undefined) delete parent[last];
  else
    Object.defineProperty(parent, last, {
      value: changed,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return copy;
}

function walk(
  schema: JSONSchemaProps,
  value: JsonValue,
  path: readonly (string | number)[],
  found: Mutation[],
  random: Random,
): void {
  const add = (
    name: string,
    changed: JsonValue | undefined,
    at: readonly (string | number)[] = path,
  ): void => {
    found.push({ name, path: at, value: changed });
  };
  if (path.length > 0) {
    add(schema.nullable === true ? 'null where null may be' : 'null where no null may be', null);
    for (const [name, other] of otherTypes(schema, value)) add(name, other);
  }
  if (schema.enum !== undefined)
    add('not in the enum', typeof value === 'number' ? 424242 : 'not-in-the-enum');
  if (typeof value === 'string') mutateString(schema, add, random);
  else if (typeof value === 'number') mutateNumber(schema, add);
  else if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    mutateArray(schema, items, add);
    items.forEach((item, index) => walk(schema.items ?? {}, item, [...path, index], found, random));
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, JsonValue>;
    mutateObject(schema, fields, path, add, random);
    for (const [name, field] of Object.entries(fields)) {
      const { additionalProperties: values } = schema;
      const of = Object.hasOwn(schema.properties ?? {}, name)
        ? schema.properties?.[name]
        : typeof values === 'object'
          ? values
          : undefined;
      if (of !== undefined) walk(of, field, [...path, name], found, random);
    }
  }
}

type Add = (name: string, changed: JsonValue | undefined, at?: readonly (string | number)[]) => void;

function otherTypes(schema: JSONSchemaProps, value: JsonValue): [string, JsonValue][] {
  const typed = schema.type ?? (schema['x-kubernetes-int-or-string'] === true ? 'int-or-string' : 'anything');
  return ['text', 1.5, true, { some: 'thing' }, ['text']]
    .filter((other) => typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value))
    .map((other) => [`another type than ${typed}`, other]);
}

function mutateString(schema: JSONSchemaProps, add: Add, random: Random): void {
  if (schema.minLength !== undefined) add('too short', '');
  if (schema.maxLength !== undefined && schema.maxLength < 100_000)
    add('too long', 'x'.repeat(schema.maxLength + 1));
  if (schema.pattern !== undefined) add('not as the pattern', '\u0001 !{}');
  if (schema.format !== undefined) add(`not of the format ${schema.format}`, 'not-of-the-format');
  add('an empty string', '');
  add('another string', stringFor({}, random));
}

function mutateNumber(schema: JSONSchemaProps, add: Add): void {
  if (schema.minimum !== undefined) {
    add('less than the minimum', schema.minimum - 1);
    add('the minimum itself', schema.minimum);
  }
  if (schema.maximum !== undefined) {
    add('more than the maximum', schema.maximum + 1);
    add('the maximum itself', schema.maximum);
  }
  if (schema.multipleOf !== undefined) add('no multiple', schema.multipleOf * 1.5);
  add('a fraction', 1.5);
  add('more than 32 bits', 2 ** 31);
  add('a negative number', -1);
}

function mutateArray(schema: JSONSchemaProps, items: readonly JsonValue[], add: Add): void {
  const [first] = items;
  if (schema.minItems !== undefined && schema.minItems > 0)
    add('too few items', items.slice(0, schema.minItems - 1));
  if (first === undefined) return;
  add(`an item twice in a list of the type ${schema['x-kubernetes-list-type'] ?? 'none'}`, [...items, first]);
  if (schema.maxItems !== undefined && schema.maxItems < 1000)
    add(
      'too many items',
      Array.from({ length: schema.maxItems + 1 }, () => first),
    );
}

function mutateObject(
  schema: JSONSchemaProps,
  fields: Record<string, JsonValue>,
  path: readonly (string | number)[],
  add: Add,
  random: Random,
): void {
  for (const name of schema.required ?? []) add('a required field is missing', undefined, [...path, name]);
  for (const name of Object.keys(fields)) {
    const property = schema.properties?.[name];
    if (property?.default !== undefined) add('a field with a default is missing', undefined, [...path, name]);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(fields, name)) continue;
    if (property.type === 'object') add('an empty object more', {}, [...path, name]);
    if (property.type === 'string') add('a field more', stringFor(property, random), [...path, name]);
  }
  const keeps =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties !== undefined;
  add(keeps ? 'an unknown field where it is kept' : 'an unknown field', { deep: ['text'] }, [
    ...path,
    'someUnknownField',
  ]);
  if (schema['x-kubernetes-embedded-resource'] === true)
    add('an embedded resource without kind', undefined, [...path, 'kind']);
  if (schema.minProperties !== undefined && schema.minProperties > 0) add('too few properties', {});
  if (schema.maxProperties === undefined || schema.maxProperties >= 1000) return;
  const [first = 'text'] = Object.values(fields);
  const many = Array.from({ length: schema.maxProperties + 1 }, (_, index) => [`key${index}`, first]);
  add('too many properties', Object.fromEntries(many) as Record<string, JsonValue>);
}
