import { isObject, type Json, type JsonObject } from '../../../src/kubernetes/objects/index.ts';
import { tableNameOfKind, tableSchema } from '../../../src/kubernetes/tables/index.ts';
import type { Random } from '../random.ts';
import { rules } from './rules.ts';
import { quantity, text } from './values.ts';

export type TableSchema = NonNullable<ReturnType<typeof tableSchema>>;

/** Makes a value of a field. */
export type Make = (random: Random) => Json;

/** Values of a type that the API server is likely to accept, where its schema alone does not tell them. */
export interface TypeRule {
  /** Values of fields, in place of those of the schema. */
  readonly fields?: Readonly<Record<string, Make>>;
  /** Fields that an object always has, in addition to those that its schema requires. */
  readonly always?: readonly string[];
  /** Fields that an object never has, and no fault adds. */
  readonly without?: readonly string[];
  /** Fields that no fault changes. */
  readonly steady?: readonly string[];
  /** Groups of fields of which an object has exactly one. */
  readonly oneOf?: readonly (readonly string[])[];
  /** Probability of a field that is not required. */
  readonly density?: number;
  /** Brings fields into agreement. */
  readonly tidy?: (object: JsonObject, random: Random) => void;
}

const deepest = 12;

/** Returns the last part of the name of a type: `PodSpec`. */
export const shortName = (type: string): string => type.slice(type.lastIndexOf('.') + 1);

export const ruleOf = (type: string): TypeRule => rules[shortName(type)] ?? {};

/** Returns a random object of a built-in kind that the API server is likely to accept, without its name. */
export function randomOfKind(random: Random, apiVersion: string, kind: string): JsonObject {
  const type = tableNameOfKind(apiVersion, kind) ?? '';
  return { apiVersion, kind, ...randomOfType(random, type, 0) };
}

/** Returns a random object of a built-in type. */
export function randomOfType(random: Random, type: string, depth: number): JsonObject {
  const { properties = {}, required = [] } = tableSchema(type) ?? {};
  const { fields = {}, always = [], without = [], oneOf = [], density = 0.3, tidy } = ruleOf(type);
  const chosen = new Set(oneOf.map((names) => random.pick(names)));
  const exclusive = new Set(oneOf.flat());
  const object: JsonObject = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (without.includes(name) || (depth === 0 && ['apiVersion', 'kind', 'status'].includes(name))) continue;
    const isSpec = depth === 0 && name === 'spec';
    const isNeeded = isSpec || required.includes(name) || always.includes(name) || chosen.has(name);
    if (exclusive.has(name) && !chosen.has(name)) continue;
    if (!isNeeded && (depth >= deepest || !random.chance(density))) continue;
    object[name] = fields[name]?.(random) ?? valueOf(random, schema, depth + 1);
  }
  tidy?.(object, random);
  return object;
}

/** Returns a random value of a schema. */
export function valueOf(random: Random, schema: TableSchema, depth: number): Json {
  const { $ref, items, additionalProperties, type, format, knownValues } = schema;
  if ($ref !== undefined) return referenced(random, $ref, depth);
  const length = random.pick([1, 1, 2]);
  if (items !== undefined) return Array.from({ length }, () => valueOf(random, items, depth));
  if (additionalProperties !== undefined)
    return Object.fromEntries(
      ['k', 'example.com/l']
        .slice(0, length)
        .map((name) => [name, valueOf(random, additionalProperties, depth)]),
    );
  if (knownValues !== undefined) return random.pick(knownValues);
  if (type === 'integer' || type === 'number') return random.pick([1, 1, 2, 5, 30]);
  if (type === 'boolean') return random.chance(0.5);
  if (format === 'byte') return random.pick(['YQ==', 'e30=', '']);
  return type === 'string' ? text(random) : {};
}

function referenced(random: Random, type: string, depth: number): Json {
  const name = shortName(type);
  if (name === 'Quantity') return quantity(random);
  if (name === 'IntOrString') return random.pick<Json>([1, 80, '50%', 8080]);
  if (name === 'Time') return '2026-01-02T03:04:05Z';
  if (name === 'MicroTime') return '2026-01-02T03:04:05.000006Z';
  if (name === 'ObjectMeta') return randomMetadata(random);
  return randomOfType(random, type, depth);
}

/** Returns metadata without a name. */
function randomMetadata(random: Random): JsonObject {
  const metadata: JsonObject = {};
  if (random.chance(0.5)) metadata['labels'] = random.pick([{ app: 'x' }, { app: 'x', tier: 'y' }]);
  if (random.chance(0.2)) metadata['annotations'] = { 'example.com/note': text(random) };
  return metadata;
}

/** Returns the name of the type that a schema refers to, itself or for its items. */
export function typeOf({ $ref, items, additionalProperties }: TableSchema): string | undefined {
  return $ref ?? items?.$ref ?? additionalProperties?.$ref;
}

/** Returns the objects in a field: itself, or those of its list or map. */
export function objectsIn(value: Json | undefined, { $ref }: TableSchema): readonly JsonObject[] {
  if ($ref !== undefined) return isObject(value) ? [value] : [];
  const all = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return all.filter((each) => isObject(each));
}
