import type { Arbitrary } from 'fast-check';
import { isUnsafeInteger } from '../../sdk/kube/index.ts';
import { canonicalJson } from '../../base/util/json-map.ts';
import {
  isObject,
  objectOf,
  type Json,
  type JsonObject,
  isOpen,
  valueSchema,
  type Schema,
  fitsFormat,
  isKnownFormat,
} from '../../kubernetes/objects/index.ts';
import type { FastCheck } from './load-fast-check.ts';

/**
 * Maximum number of optional fields in an object below the second level. Without this limit, a Pod template would get thousands of fields.
 */
const mostDeepFields = 3;
const mostMoreItems = 3;

/**
 * Returns a generator of values that mostly conform to a structural schema. Constraints on the complete value (`not`, several of `oneOf`,
 * the number of properties) and CEL rules are ignored, so callers must validate the values.
 */
export function valueArbitrary(fc: FastCheck, schema: Schema, depth = 0): Arbitrary<Json> {
  const { whole, branches } = alternativesOf(schema);
  const values =
    branches.length === 0
      ? typedArbitrary(fc, whole, depth)
      : chosen(fc, whole, branches).chain((branch) => typedArbitrary(fc, branch, depth));
  if (schema.nullable !== true) return values;
  return fc.oneof({ weight: 5, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) });
}

type Alternatives = readonly { readonly isExclusive: boolean; readonly list: readonly Schema[] }[];

function alternativesOf(schema: Schema): { readonly whole: Schema; readonly branches: Alternatives } {
  const parts = schema as { readonly [K in 'oneOf' | 'anyOf' | 'allOf']?: readonly Schema[] };
  const { oneOf = [], anyOf = [], allOf = [] } = parts;
  const branches = [
    { isExclusive: true, list: oneOf },
    { isExclusive: false, list: anyOf },
  ].filter(({ list }) => list.length > 0);
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  return { whole: allOf.reduce(withBranch, schema), branches: isIntOrString ? [] : branches };
}

/** Returns a generator of schemas. Each schema combines the base schema with one randomly chosen branch of each list of alternatives. */
function chosen(fc: FastCheck, whole: Schema, branches: Alternatives): Arbitrary<Schema> {
  return fc.tuple(...branches.map(({ list }) => fc.nat({ max: list.length - 1 }))).map((indices) =>
    branches.reduce((schema, { isExclusive, list }, at) => {
      const branch = list[indices[at] ?? 0] ?? {};
      const others = isExclusive ? list.filter((each) => each !== branch) : [];
      return withBranch(withoutFields(schema, requiredOnlyBy(others, branch)), branch);
    }, whole),
  );
}

const requiredOnlyBy = (others: readonly Schema[], branch: Schema): ReadonlySet<string> =>
  new Set(others.flatMap(({ required = [] }) => required).filter((name) => !branch.required?.includes(name)));

function withoutFields(schema: Schema, names: ReadonlySet<string>): Schema {
  if (names.size === 0 || schema.properties === undefined) return schema;
  const kept = Object.entries(schema.properties).filter(
    ([name]) => !names.has(name) || schema.required?.includes(name) === true,
  );
  return { ...schema, properties: Object.fromEntries(kept) };
}

/**
 * Adds the constraints of a branch to a schema. The result keeps the types and fields of the original schema, because a structural schema
 * requires them.
 */
function withBranch(schema: Schema, branch: Schema): Schema {
  const {
    required = [],
    properties = {},
    items,
    allOf: _all,
    anyOf: _any,
    oneOf: _one,
    not: _not,
    ...rest
  } = branch as Schema & Record<'allOf' | 'anyOf' | 'oneOf' | 'not', unknown>;
  const fields = { ...schema.properties };
  for (const [name, field] of Object.entries(properties))
    if (Object.hasOwn(fields, name)) fields[name] = withBranch(fields[name] ?? {}, field);
  return {
    ...schema,
    ...rest,
    ...(schema.properties === undefined ? {} : { properties: fields }),
    ...(schema.items === undefined || items === undefined ? {} : { items: withBranch(schema.items, items) }),
    required: [...new Set([...(schema.required ?? []), ...required])],
  };
}

function typedArbitrary(fc: FastCheck, schema: Schema, depth: number): Arbitrary<Json> {
  const { enum: choices } = schema;
  if (choices !== undefined && choices.length > 0) return fc.constantFrom(...(choices as Json[]));
  if (schema['x-kubernetes-int-or-string'] === true)
    return fc.oneof(fc.nat({ max: 65_535 }), textArbitrary(fc, schema));
  switch (schema.type) {
    case 'object':
      return objectArbitrary(fc, schema, depth);
    case 'array':
      return listArbitrary(fc, schema, depth);
    case 'string':
      return textArbitrary(fc, schema);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numberArbitrary(fc, schema);
    case undefined:
    default:
      return anyJson(fc);
  }
}

/** Returns a generator of any JSON values, except integers that JSON parsers round, and -0, which is serialised as 0. */
const anyJson = (fc: FastCheck): Arbitrary<Json> =>
  fc.oneof(
    fc.constantFrom<Json>(null, true, 0, 1.5, '', 'a'),
    fc.constantFrom<Json>([], ['a'], {}, { a: 1 }, { b: { c: ['d'] } }),
  );

function numberArbitrary(fc: FastCheck, schema: Schema): Arbitrary<number> {
  const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 0 } = schema;
  const greatest = format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  const min = Math.max(minimum ?? -greatest, -greatest);
  const max = Math.max(min, Math.min(maximum ?? greatest, greatest));
  if (type === 'number')
    return fc
      .oneof(
        fc.integer({
          min: Math.ceil(Math.max(min, -1000)),
          max: Math.max(Math.ceil(Math.max(min, -1000)), Math.floor(Math.min(max, 1000))),
        }),
        fc.double({ min, max, noNaN: true, noDefaultInfinity: true }),
      )
      .map((value) => (value === 0 || isUnsafeInteger(value) ? Math.max(0, min) : value));
  const step = Number.isInteger(multipleOf) && multipleOf > 0 ? multipleOf : 1;
  const first = Math.ceil((exclusiveMinimum === true ? min + 1 : min) / step);
  const last = Math.max(first, Math.floor((exclusiveMaximum === true ? max - 1 : max) / step));
  const near = Math.min(last, Math.max(first, 0) + 10);
  return fc
    .oneof(
      fc.integer({ min: Math.max(first, Math.min(0, near)), max: near }),
      fc.integer({ min: first, max: last }),
    )
    .map((value) => value * step + 0);
}

function objectArbitrary(fc: FastCheck, schema: Schema, depth: number): Arbitrary<Json> {
  const { properties = {}, required = [], minProperties = 0, maxProperties = Infinity } = schema;
  const names = Object.keys(properties);
  const made = new Map<string, Arbitrary<readonly [string, Json]>>();
  // The generator of a field is created only when it is needed, because a Pod template has thousands of fields. It is created only once,
  // because creating it takes longer than generating a value.
  const fieldArbitrary = (name: string): Arbitrary<readonly [string, Json]> => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const field = valueArbitrary(fc, properties[name] ?? {}, depth + 1).map(
      (value) => [name, value] as const,
    );
    made.set(name, field);
    return field;
  };
  const optional = names.filter((name) => !required.includes(name));
  const most = Math.max(
    0,
    Math.min(
      maxProperties - (names.length - optional.length),
      depth < 2 ? Infinity : mostDeepFields,
      optional.length,
    ),
  );
  const fields = fc
    .subarray(optional, {
      minLength: Math.min(most, Math.max(0, minProperties - required.length)),
      maxLength: most,
    })
    .chain((some) =>
      fc.tuple(...names.filter((name) => required.includes(name) || some.includes(name)).map(fieldArbitrary)),
    )
    .map((entries): JsonObject => Object.fromEntries(entries));
  const extra = extraFields(fc, schema, depth);
  const whole =
    extra === undefined ? fields : fc.tuple(extra, fields).map(([more, own]) => ({ ...more, ...own }));
  if (schema['x-kubernetes-embedded-resource'] !== true) return whole;
  return whole.map((value) => ({
    ...value,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...objectOf(value['metadata']), name: 'embedded' },
  }));
}

/**
 * Returns a generator of map entries, or of the additional fields that only `x-kubernetes-preserve-unknown-fields` allows. Returns
 * undefined if the schema allows neither.
 */
function extraFields(fc: FastCheck, schema: Schema, depth: number): Arbitrary<JsonObject> | undefined {
  const { properties, additionalProperties, minProperties = 0, maxProperties = Infinity } = schema;
  const values = valueSchema(schema);
  const isMap = values !== undefined || additionalProperties === true;
  if (!isMap && !isOpen(schema)) return undefined;
  const value = values === undefined ? anyJson(fc) : valueArbitrary(fc, values, depth + 1);
  const names = fc.oneof(
    fc.constantFrom('a', 'b', 'example.com/c'),
    fc.string({ minLength: 1, maxLength: 5 }),
  );
  return fc
    .uniqueArray(
      fc.tuple(
        names.filter((name) => name !== '__proto__' && !Object.hasOwn(properties ?? {}, name)),
        value,
      ),
      {
        selector: ([name]) => name,
        minLength: isMap ? minProperties : 0,
        maxLength: isMap ? Math.min(maxProperties, minProperties + mostMoreItems) : 1,
      },
    )
    .map((entries): JsonObject => Object.fromEntries(entries));
}

function listArbitrary(fc: FastCheck, schema: Schema, depth: number): Arbitrary<Json> {
  const { items = {}, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  const size = { minLength: minItems, maxLength: Math.min(maxItems, minItems + mostMoreItems) };
  const item = valueArbitrary(fc, items, depth + 1);
  const kind = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (kind === 'map')
    return fc.uniqueArray(item, {
      ...size,
      selector: (value) =>
        canonicalJson(
          keys.map((key) => (isObject(value) ? (value[key] ?? items.properties?.[key]?.default) : value)),
        ),
    });
  if (kind === 'set' || uniqueItems === true)
    return fc.uniqueArray(item, { ...size, selector: canonicalJson });
  return fc.array(item, size);
}

/** Maximum number of characters of a generated text beyond `minLength`. Longer texts would reveal no further errors. */
const longest = 12;

/** Returns a generator of texts that mostly conform to the schema of a string; callers must validate the texts. */
function textArbitrary(fc: FastCheck, schema: Schema): Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = schema;
  const general = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + longest) });
  const matching = pattern === undefined || pattern === '' ? undefined : patternArbitrary(fc, pattern);
  const formatted = format === undefined ? undefined : formatArbitrary(fc, format);
  if (matching !== undefined)
    return matching.filter((text) => text.length >= minLength && text.length <= maxLength);
  if (formatted !== undefined) return formatted;
  const words = ['a', 'b', 'é', 'a b', 'A-1'].filter(
    ({ length }) => length >= minLength && length <= maxLength,
  );
  return words.length === 0 ? general : fc.oneof(fc.constantFrom(...words), general);
}

/**
 * Returns a generator of texts that match a pattern. Returns undefined if JavaScript, unlike RE2, cannot parse the pattern, or if no texts
 * can be generated for it.
 */
function patternArbitrary(fc: FastCheck, pattern: string): Arbitrary<string> | undefined {
  try {
    const texts = fc.stringMatching(new RegExp(pattern, 'u'));
    fc.sample(texts, { numRuns: 1, seed: 1 });
    return texts;
  } catch {
    return undefined;
  }
}

function formatArbitrary(fc: FastCheck, format: string): Arbitrary<string> | undefined {
  const dates = fc
    .date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('2099-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString());
  const digit = fc.constantFrom(...'0123456789abcdef');
  const known: Readonly<Record<string, () => Arbitrary<string>>> = {
    'date-time': () => dates.map((date) => date.replace(/\.\d+/, '')),
    datetime: () => dates.map((date) => date.replace(/\.\d+/, '')),
    date: () => dates.map((date) => date.slice(0, 10)),
    duration: () =>
      fc.tuple(fc.nat({ max: 90 }), fc.constantFrom('s', 'm', 'h', 'ms')).map((parts) => parts.join('')),
    byte: () => fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    uuid: () => fc.uuid(),
    uuid4: () => fc.uuid({ version: 4 }),
    ipv4: () => fc.ipV4(),
    ipv6: () => fc.ipV6(),
    cidr: () => fc.tuple(fc.ipV4(), fc.nat({ max: 32 })).map((parts) => parts.join('/')),
    hostname: () => fc.domain(),
    email: () => fc.constantFrom('a@example.com', 'b.c@example.org'),
    uri: () => fc.webUrl(),
    mac: () =>
      fc
        .array(fc.tuple(digit, digit), { minLength: 6, maxLength: 6 })
        .map((pairs) => pairs.map((pair) => pair.join('')).join(':')),
  };
  if (!isKnownFormat(format)) return undefined;
  return known[format]?.().filter((text) => fitsFormat(format, text));
}
