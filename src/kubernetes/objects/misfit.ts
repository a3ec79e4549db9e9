import { fillDefaults, pruneField, removeNulls } from './defaulting.ts';
import { resourceErrors, visitEmbedded, listTypeFaults } from './structural.ts';
import { limitText, type Fault, type FaultRule, type ValuePath, type FieldError } from './fault.ts';
import { clone, isObject, type Json, type JsonObject, type JsonValue } from './json.ts';
import { ownField } from '../../base/util/json-map.ts';
import { objectMetaSchema } from './object-meta.ts';
import { visitSchema, type Schema } from './schema.ts';
import { schemaFaults } from './validate.ts';

/**
 * Returns the faults of a value that a user wrote, sorted by their position in the value. Like in the API server, defaults are set and
 * nulls are removed before validation. Fields that the API server would drop are faults, too: undeclared fields, and nulls that the schema
 * does not allow. CEL rules are not evaluated.
 */
export function writtenFaults(value: JsonValue, schema: Schema): readonly Fault[] {
  const judged = clone(value as Json);
  const nulls = disallowedNulls(value, schema);
  removeNulls(judged, schema);
  fillDefaults(judged, schema);
  const faults = [...unknownFaults(judged, schema), ...allFaults(judged, schema, false)];
  // A required field that is null has already been reported as a disallowed null, so it is not reported again as missing.
  const missing = (fault: Fault): string => JSON.stringify([...fault.path, fault.limit]);
  const needed = new Set(faults.filter(({ rule }) => rule === 'required').map(missing));
  const lost = new Set(nulls.map(({ path }) => JSON.stringify(path)));
  return inOrder(value, [
    ...nulls.map((each) => (needed.has(JSON.stringify(each.path)) ? { ...each, text: neededNull } : each)),
    ...faults.filter((fault) => fault.rule !== 'required' || !lost.has(missing(fault))),
    ...ownFaults(value, schema),
  ]);
}

/**
 * Returns the faults of a value that is the `default` of its schema. Unlike in written values, nested defaults are not set and nulls are
 * not removed before validation.
 */
function defaultFaults(value: JsonValue, schema: Schema): readonly Fault[] {
  if (value === null && schema.nullable === true) return [];
  const judged = clone(value as Json);
  const unknown = unknownFaults(judged, schema);
  return inOrder(value, [...unknown, ...allFaults(judged, schema, true), ...ownFaults(value, schema)]);
}

/** Returns the reason why the API server would refuse the value in an object of this schema; undefined if it would accept the value. */
export function misfit(schema: Schema, value: JsonValue): string | undefined {
  return value === null && schema.nullable !== true
    ? 'null is not allowed'
    : phraseOf(writtenFaults(value, schema));
}

/** Returns the reason why the API server would refuse the value as the default of the schema; undefined if it would accept the value. */
export function defaultMisfit(schema: Schema, value: JsonValue): string | undefined {
  return value === null && schema.nullable !== true
    ? 'null is not allowed'
    : phraseOf(defaultFaults(value, schema));
}

/** Returns all faults for which the API server would refuse a value whose defaults have been set already. */
function allFaults(value: Json, schema: Schema, isDefault: boolean): readonly Fault[] {
  const faults: Fault[] = [...schemaFaults(value, schema, { isDefault }), ...listTypeFaults(value, schema)];
  visitEmbedded(
    value,
    schema,
    (resource, path, at) => faults.push(...embeddedFaults(resource, path, at)),
    true,
  );
  return faults.filter(({ isInBranch }) => isInBranch !== true);
}

function unknownFaults(value: Json, schema: Schema): readonly Fault[] {
  return pruneField(value, schema).map(({ path, at, known }) => {
    return { rule: 'unknown', path, at, value: null, limit: known, text: `unknown field "${at}"` };
  });
}

const droppedNull = 'null is dropped';
const neededNull = 'null is dropped, and a value is required';

/**
 * Returns a fault for each field whose null the API server drops. Nulls in lists are not dropped, so the validation by the schema reports
 * them as values of the wrong type.
 */
function disallowedNulls(value: JsonValue, schema: Schema): readonly Fault[] {
  const faults: Fault[] = [];
  visitSchema(value, schema, (part, own, path, at) => {
    if (part !== null || own.nullable === true || typeof path.at(-1) !== 'string') return;
    const type = own.type ?? (own['x-kubernetes-int-or-string'] === true ? 'integer,string' : '');
    faults.push({ rule: 'null', path, at, value: null, limit: type, text: droppedNull });
  });
  return faults;
}

/**
 * Returns faults that only op-sdk reports: integers that JavaScript cannot hold exactly, and values that only other versions of the API
 * server may accept.
 */
function ownFaults(value: JsonValue, schema: Schema): readonly Fault[] {
  const faults: Fault[] = [];
  visitSchema(value, schema, (part, { type, knownValues, ...own }, path, at) => {
    const isInteger = type === 'integer' || own['x-kubernetes-int-or-string'] === true;
    if (isInteger && Number.isInteger(part) && !Number.isSafeInteger(part))
      faults.push({ rule: 'unsafe', path, at, value: part, limit: type ?? 'integer,string', text: 'unsafe' });
    if (knownValues !== undefined && part !== null && !knownValues.includes(part))
      faults.push({ rule: 'knownValues', path, at, value: part, limit: knownValues, text: 'unknown value' });
  });
  return faults;
}

function embeddedFaults(resource: JsonObject, path: ValuePath, at: string): readonly Fault[] {
  const { metadata } = resource;
  const ofMetadata =
    metadata === undefined ? [] : schemaFaults(metadata, { ...objectMetaSchema, nullable: true });
  const problems =
    ofMetadata.length > 0
      ? ofMetadata.map((fault) => metadataProblem(fault))
      : resourceErrors(resource, '').map((error) => resourceProblem(error, resource));
  return problems.map((text) => ({ rule: 'embedded', path, at, value: resource, limit: null, text }));
}

function metadataProblem(fault: Fault): string {
  const [name] = fault.path;
  if (name === undefined) return 'metadata is not an object';
  if (name === 'labels' || name === 'annotations') return `metadata.${name} may hold only strings`;
  return `metadata.${name}: ${phrase(fault)}`;
}

function resourceProblem({ type, field, body }: FieldError, resource: JsonObject): string {
  const name = field.slice(1);
  const value = resource[name];
  if (type === 'FieldValueRequired' && name in { apiVersion: 1, kind: 1 })
    return `an embedded resource needs ${name}`;
  if (name === 'apiVersion' || name === 'kind') {
    if (typeof value !== 'string' || value === '') return `${name} must be a string that is not empty`;
    return name === 'kind'
      ? 'kind may have only letters, digits and "-"'
      : 'apiVersion is not a version or a group/version';
  }
  return `${name}: ${body}`;
}

/**
 * Names of the rules in the order in which faults are sorted. Faults of a value come before the faults of its fields and items, which come
 * before the faults of its junctors (`allOf`, `anyOf`, `oneOf`, `not`).
 */
const ranks: readonly string[] =
  'null type unsafe enum knownValues minLength maxLength format pattern range bound minimum maximum factor multipleOf minItems maxItems uniqueItems required minProperties maxProperties embedded unknown set mapItem mapKey'.split(
    ' ',
  );
const junctors: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'not'];

/** Sorts faults by the position of the faulty fields and items in the value. Must be fast, because a value may have very many faults. */
function inOrder(whole: JsonValue, faults: readonly Fault[]): readonly Fault[] {
  // If a value has the wrong type, its other faults and the faults of its fields are omitted.
  const mistyped = new Set(
    faults.flatMap(({ rule, path }) => (rule === 'type' ? [JSON.stringify(path)] : [])),
  );
  const isHidden = ({ rule, path }: Fault): boolean =>
    mistyped.size > 0 &&
    [...path, null].some(
      (_, depth) =>
        !(rule === 'type' && depth === path.length) && mistyped.has(JSON.stringify(path.slice(0, depth))),
    );
  const orderKey = createOrder(whole);
  const keyed = faults.filter((fault) => !isHidden(fault)).map((fault) => ({ fault, key: orderKey(fault) }));
  const compare = (left: readonly number[], right: readonly number[]): number => {
    const at = left.findIndex((number, index) => number !== right[index]);
    return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
  };
  return keyed.sort((left, right) => compare(left.key, right.key)).map(({ fault }) => fault);
}

/** Returns a function that computes the sort key of a fault from the positions of fields and items in the value `whole`. */
function createOrder(whole: JsonValue): (fault: Fault) => readonly number[] {
  const positions = new Map<object, ReadonlyMap<string, number>>();
  const positionOf = (value: Readonly<Record<string, JsonValue>>, name: string): number | undefined => {
    const known = positions.get(value) ?? new Map(Object.keys(value).map((key, index) => [key, index]));
    positions.set(value, known);
    return known.get(name);
  };
  return ({ rule, path }) => {
    let value: JsonValue | undefined = whole;
    const key = path.map((step) => {
      const position = isObject(value) ? positionOf(value, String(step)) : Number(step);
      value = isObject(value)
        ? ownField(value, String(step))
        : Array.isArray(value)
          ? (value as JsonValue[])[Number(step)]
          : undefined;
      // Fields that a default has set do not occur in the written value. They are sorted last.
      return 100 + (position ?? Number.MAX_SAFE_INTEGER / 2);
    });
    const junctor = junctors.indexOf(rule);
    // A value's own faults come first, then the faults of its fields and items, then the faults of its junctors.
    const own = junctor < 0 ? ranks.indexOf(rule) : Number.MAX_SAFE_INTEGER - junctors.length + junctor;
    return [...key, own, -1];
  };
}

function phraseOf([fault]: readonly Fault[]): string | undefined {
  if (fault === undefined) return undefined;
  const { rule, path } = fault;
  const place = placeOf(path);
  if (rule === 'unknown') return `unknown field ${place}`;
  if (rule === 'required') return `the required field ${placeOf([...path, limitText(fault)])} is missing`;
  return `${phrase(fault)}${place === '' ? '' : ` (at ${place})`}`;
}

function placeOf(path: ValuePath): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

type Phrase = (shown: string, limit: string, fault: Fault) => string;

const noneOf: Phrase = (shown, _limit, { value, limit }) =>
  value === null
    ? 'null is none of the values of an enumeration'
    : `${shown} is none of ${(limit as readonly JsonValue[]).map((each) => JSON.stringify(each)).join(', ')}`;
const notOfType: Phrase = (shown, types) => `${shown} ${ofOtherType[types] ?? `is not a ${types}`}`;
const itemTwice: Phrase = () => 'the set has an item twice';

const ofOtherType: Readonly<Record<string, string>> = {
  'integer,string': 'is neither an integer nor a string',
  integer: 'is not an integer that JavaScript can hold',
  array: 'is not a list',
  object: 'is not an object',
};

/** Messages for faults by rule, without the path of the faulty value. For rules without an entry, the text of the fault itself is used. */
const phrases: Partial<Record<FaultRule, Phrase>> = {
  null: () => 'null is not allowed',
  type: (shown, types, fault) =>
    fault.value === null ? 'null is not allowed' : notOfType(shown, types, fault),
  unsafe: notOfType,
  enum: noneOf,
  knownValues: noneOf,
  minLength: (shown) => `${shown} is shorter than minLength`,
  maxLength: (shown) => `${shown} is longer than maxLength`,
  format: (shown, format) => `${shown} is not of the format ${format}`,
  pattern: (shown) => `${shown} does not match the pattern`,
  range: (shown, type) => `${shown} is not in the range of ${/format (\w+)$/.exec(type)?.[1] ?? 'the type'}`,
  bound: (shown, bound) =>
    `${shown} is compared with ${bound}, which is not ${bound.includes('.') ? 'an integer' : 'in its range'}`,
  factor: (shown, factor) => `${shown} is compared with multipleOf ${factor} as an integer, which is 0`,
  minimum: (shown) => `${shown} is less than the minimum`,
  maximum: (shown) => `${shown} is greater than the maximum`,
  multipleOf: (shown, factor) => `${shown} is not a multiple of ${factor}`,
  minItems: () => 'the list has fewer items than minItems',
  maxItems: () => 'the list has more items than maxItems',
  uniqueItems: itemTwice,
  set: itemTwice,
  mapItem: (shown) => `${shown} is not an object`,
  mapKey: (_shown, key) => `the list has the key ${key} twice`,
  minProperties: () => 'the object has fewer fields than minProperties',
  maxProperties: () => 'the object has more fields than maxProperties',
  anyOf: (shown) => `${shown} conforms to none of anyOf`,
  oneOf: (shown, count) => `${shown} conforms to ${count} of oneOf, and must to one`,
  allOf: (shown) => `${shown} does not conform to all of allOf`,
  not: (shown) => `${shown} conforms to what \`not\` excludes`,
};

function phrase(fault: Fault): string {
  return phrases[fault.rule]?.(JSON.stringify(fault.value), limitText(fault), fault) ?? fault.text;
}
