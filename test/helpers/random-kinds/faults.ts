import { clone, isObject, type Json, type JsonObject } from '../../../src/kubernetes/objects/index.ts';
import { tableNameOfKind, tableSchema } from '../../../src/kubernetes/tables/index.ts';
import { jsonTextOf } from '../../../src/base/util/json-map.ts';
import type { Random } from '../random.ts';
import { objectsIn, ruleOf, shortName, typeOf, valueOf, type TableSchema } from './generate.ts';
import { wildNumbers, wildQuantities, wildTexts } from './values.ts';

/** A field, present or not, of an object within an object of a kind. */
interface Site {
  readonly holder: JsonObject;
  readonly name: string;
  readonly schema: TableSchema;
  readonly isRequired: boolean;
}

const strings: TableSchema = { type: 'object', additionalProperties: { type: 'string' } };
const metadataFields: Readonly<Record<string, TableSchema>> = {
  labels: strings,
  annotations: strings,
  finalizers: { type: 'array', items: { type: 'string' } },
};

/** Returns a copy of an object of a built-in kind in which some fields are removed, added, or changed, perhaps for the worse. */
export function withFaults(random: Random, object: JsonObject, count: number): JsonObject {
  const changed = clone(object);
  for (let index = 0; index < count; index += 1) addFault(random, changed);
  return changed;
}

function addFault(random: Random, object: JsonObject): void {
  const { apiVersion, kind } = object;
  const type = tableNameOfKind(jsonTextOf(apiVersion), jsonTextOf(kind)) ?? '';
  const sites: Site[] = [];
  collect(object, type, 0, sites);
  const present = sites.filter(({ holder, name }) => holder[name] !== undefined);
  const absent = sites.filter(({ holder, name }) => holder[name] === undefined);
  const needed = present.filter(({ isRequired }) => isRequired);
  const kindOfFault = random.next();
  if (kindOfFault < 0.15 && needed.length > 0) remove(random.pick(needed));
  else if (kindOfFault < 0.25 && present.length > 0) remove(random.pick(present));
  else if (kindOfFault < 0.4 && absent.length > 0) {
    const { holder, name, schema } = random.pick(absent);
    holder[name] = random.chance(0.7) ? valueOf(random, schema, 6) : wild(random, schema, undefined, false);
  } else if (kindOfFault < 0.43) random.pick(sites).holder['bogus'] = 1;
  else if (present.length > 0) {
    const { holder, name, schema, isRequired } = random.pick(present);
    holder[name] = wild(random, schema, holder[name], isRequired);
  }
}

function remove({ holder, name }: Site): void {
  delete holder[name];
}

function collect(object: JsonObject, type: string, depth: number, sites: Site[]): void {
  const isMetadata = shortName(type) === 'ObjectMeta';
  const { properties = {}, required = [] } = tableSchema(type) ?? {};
  const { without = [], steady = [] } = ruleOf(type);
  for (const [name, schema] of Object.entries(isMetadata ? metadataFields : properties)) {
    if (without.includes(name)) continue;
    const isTop = depth === 0 && ['apiVersion', 'kind', 'metadata', 'status'].includes(name);
    if (!isTop && !steady.includes(name))
      sites.push({ holder: object, name, schema, isRequired: required.includes(name) });
    if (depth === 0 && name === 'status') continue;
    const inner = typeOf(schema);
    if (inner !== undefined)
      for (const each of objectsIn(object[name], schema)) collect(each, inner, depth + 1, sites);
  }
}

/** Returns a value of the right type that the API server may refuse. */
function wild(random: Random, schema: TableSchema, value: Json | undefined, isRequired: boolean): Json {
  const { $ref, items, additionalProperties, type, format } = schema;
  if (random.chance(0.03)) return null;
  if ($ref !== undefined) return wildReference(random, $ref, value);
  if (items !== undefined) return wildList(random, items, value, isRequired);
  if (additionalProperties !== undefined) return wildMap(random, additionalProperties, value, isRequired);
  if (type === 'integer' || type === 'number') return random.pick(wildNumbers);
  if (type === 'boolean') return value !== true;
  if (format === 'byte') return random.pick(['YQ==', '', 'e30=', 'eyJhIjoxfQ==']);
  return type === 'string' ? random.pick(wildTexts) : {};
}

function wildReference(random: Random, type: string, value: Json | undefined): Json {
  const name = shortName(type);
  if (name === 'Quantity') return random.pick(wildQuantities);
  if (name === 'IntOrString') return random.pick<Json>([0, -1, '101%', '-1%', 'x', '', 'http', 65_536, '0%']);
  if (name === 'Time' || name === 'MicroTime') return null;
  return isObject(value) && random.chance(0.5)
    ? withoutOne(random, value)
    : random.pick<Json>([{}, valueOf(random, { $ref: type }, 8)]);
}

function withoutOne(random: Random, value: JsonObject): JsonObject {
  const names = Object.keys(value);
  if (names.length === 0) return {};
  const { [random.pick(names)]: _, ...rest } = value;
  return rest;
}

// An empty list or map stands only for one that is required: elsewhere, the server distinguishes it from an absent one when it records the
// owners of fields, and when it compares the old and the new object.
function wildList(random: Random, items: TableSchema, value: Json | undefined, isRequired: boolean): Json {
  const list = Array.isArray(value) ? value : [];
  const [first] = list;
  if (first !== undefined && random.chance(0.35)) return [...list, clone(first)];
  if (isRequired && random.chance(0.3)) return [];
  const isScalar = items.$ref === undefined;
  const item = isScalar && random.chance(0.7) ? wild(random, items, first, true) : valueOf(random, items, 8);
  // The server decodes a null in a list of texts as an empty text.
  return [...list, item ?? ''];
}

function wildMap(random: Random, values: TableSchema, value: Json | undefined, isRequired: boolean): Json {
  const map = isObject(value) ? value : {};
  if (isRequired && random.chance(0.2)) return {};
  const isWildName = random.chance(0.5);
  const name = isWildName ? random.pick(wildTexts) : (Object.keys(map)[0] ?? 'k');
  const item = isWildName ? valueOf(random, values, 8) : wild(random, values, map[name], true);
  return { ...map, [name]: item ?? '' };
}
