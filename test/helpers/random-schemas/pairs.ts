import type { JSONSchemaProps, JsonValue } from '../../../src/kubernetes/objects/index.ts';
import type { Random } from '../random.ts';
import { problemsOf } from './schemas.ts';

/** The schema of a field, and a value that fits it, or nearly. */
export interface Pair {
  readonly schema: JSONSchemaProps;
  readonly value: JsonValue;
}

/** A definition that the API server takes, with a field of this schema. */
export const rootWith = (schema: JSONSchemaProps): JSONSchemaProps => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { field: schema } } },
});

/** A pair with all keywords of structural schemas; a schema that the API server would refuse is not among them. */
export function randomPair(random: Random): Pair {
  for (;;) {
    const schema = withDefaults(randomSchema(random, 0), random);
    if (problemsOf(rootWith(schema)).length === 0) return { schema, value: randomValue(random, schema) };
  }
}

const formats = [
  ...['date-time', 'ipv4', 'ipv6', 'byte', 'uuid', 'duration', 'date', 'hostname', 'cidr', 'password'],
  ...['hexcolor', 'k8s-short-name', 'mac', 'no-such-format', 'int32'],
];
const texts = [
  ...['', 'a', 'ab', 'abc', 'abcd', 'xyz', '1.2.3.4', '::1', '2020-01-01', '2020-01-01T00:00:00Z', '1h'],
  ...['YQ==', '10.0.0.0/8', '#fff', 'é', '😀😀', '00:11:22:33:44:55', '80%', '007'],
];
const numbers = [
  -2,
  -1.5,
  0,
  0.1,
  0.3,
  1,
  1.5,
  2,
  2.5,
  2.75,
  3,
  5,
  6,
  97,
  1e6,
  1234567.5,
  2 ** 31,
  1e-7,
  1e21,
  1e39,
];
const integers = [-2, 0, 1, 2, 3, 5, 6, 97, 1e6, 2 ** 31];

function randomSchema(random: Random, depth: number): JSONSchemaProps {
  const leaves = ['string', 'integer', 'number', 'boolean', 'intOrString', 'open'] as const;
  const kind = random.pick(
    depth > 2
      ? leaves
      : ([...leaves, 'array', 'object', 'map', 'array', 'object', 'map', 'embedded'] as const),
  );
  const schema: JSONSchemaProps = kind === 'intOrString' || kind === 'open' ? {} : { type: kind };
  const set = <K extends keyof JSONSchemaProps>(
    probability: number,
    key: K,
    make: () => JSONSchemaProps[K],
  ): void => {
    if (random.chance(probability)) schema[key] = make();
  };
  if (kind === 'intOrString') {
    schema['x-kubernetes-int-or-string'] = true;
    set(0.3, 'anyOf', () => [{ type: 'integer' }, { type: 'string' }]);
  }
  if (kind === 'string' || kind === 'intOrString') {
    set(0.25, 'minLength', () => random.pick([1, 2, 3]));
    set(0.25, 'maxLength', () => random.pick([2, 3, 4]));
    set(0.2, 'pattern', () => random.pick(['^a', 'b+$', '^[0-9]+%?$', '(?i)^A']));
    set(0.25, 'format', () => random.pick(formats));
    set(0.15, 'enum', () => random.pick<JsonValue[]>([['a', 'ab'], ['é'], ['a', null]]));
  }
  if (kind === 'integer' || kind === 'number' || kind === 'intOrString') {
    const bounds = kind === 'integer' ? integers : numbers;
    set(0.25, 'minimum', () => random.pick(bounds));
    set(0.25, 'maximum', () => random.pick(bounds));
    set(0.2, 'multipleOf', () => random.pick(kind === 'integer' ? [1, 2, 3] : [0.1, 0.5, 1, 2, 2.5]));
    if (schema.minimum !== undefined) set(0.4, 'exclusiveMinimum', () => random.chance(0.7));
    if (schema.maximum !== undefined) set(0.4, 'exclusiveMaximum', () => random.chance(0.7));
    if (kind !== 'intOrString') {
      set(0.25, 'format', () =>
        random.pick(kind === 'integer' ? ['int32', 'int64', 'float'] : ['float', 'double', 'int32']),
      );
      set(0.15, 'enum', () =>
        random.pick<JsonValue[]>([
          [1, 2],
          [1, 1.5],
          ['a', 3],
        ]),
      );
    }
  }
  if (kind === 'boolean') set(0.2, 'enum', () => [true]);
  if (kind === 'open') schema['x-kubernetes-preserve-unknown-fields'] = true;
  if (kind === 'array') Object.assign(schema, randomList(random, depth));
  if (kind === 'map') {
    schema.type = 'object';
    schema.additionalProperties = random.chance(0.15) ? true : randomSchema(random, depth + 1);
  }
  if (kind === 'object' || kind === 'embedded') {
    schema.type = 'object';
    schema.properties = { a: randomSchema(random, depth + 1), b: randomSchema(random, depth + 1) };
    set(0.4, 'required', () => random.pick([['a'], ['b'], ['a', 'b']]));
    set(0.15, 'x-kubernetes-preserve-unknown-fields', () => true);
    set(0.1, 'x-kubernetes-map-type', () => random.pick(['atomic', 'granular']));
  }
  if (kind === 'embedded') schema['x-kubernetes-embedded-resource'] = true;
  if (schema.type === 'object') {
    set(0.15, 'minProperties', () => random.pick([1, 2]));
    set(0.15, 'maxProperties', () => random.pick([1, 2, 3]));
  }
  set(0.15, 'nullable', () => true);
  if (kind !== 'intOrString')
    set(0.07, 'anyOf', () => [randomRestriction(random, schema), randomRestriction(random, schema)]);
  set(0.07, 'oneOf', () => [randomRestriction(random, schema), randomRestriction(random, schema)]);
  set(0.07, 'allOf', () => [randomRestriction(random, schema), randomRestriction(random, schema)]);
  set(0.07, 'not', () => randomRestriction(random, schema));
  return schema;
}

function randomList(random: Random, depth: number): JSONSchemaProps {
  const list: JSONSchemaProps = { items: randomSchema(random, depth + 1) };
  if (random.chance(0.3)) list.minItems = random.pick([1, 2]);
  if (random.chance(0.3)) list.maxItems = random.pick([1, 2]);
  const type = random.pick(['atomic', 'set', 'map', undefined, undefined]);
  if (type !== undefined) list['x-kubernetes-list-type'] = type;
  if (type !== 'map') return list;
  const properties = { a: { type: 'string' }, b: { type: 'integer' }, c: randomSchema(random, depth + 2) };
  const keys = random.pick([['a'], ['b'], ['a', 'b']]);
  return {
    ...list,
    items: { type: 'object', properties, required: keys },
    'x-kubernetes-list-map-keys': keys,
  };
}

/** What a junctor may say of a value of the schema. */
function randomRestriction(
  random: Random,
  { type, properties }: JSONSchemaProps,
  depth = 0,
): JSONSchemaProps {
  if (depth < 2 && random.chance(0.15))
    return { not: randomRestriction(random, { type, properties } as JSONSchemaProps, depth + 1) };
  if (depth < 2 && random.chance(0.1))
    return { anyOf: [randomRestriction(random, { type } as JSONSchemaProps, depth + 1), { minLength: 2 }] };
  if (type === 'object' && properties !== undefined && random.chance(0.5))
    return random.pick<JSONSchemaProps>([
      { required: ['a'] },
      { properties: { a: { enum: ['a', 1, true] } } },
      { properties: { b: { minimum: 2, minLength: 2 } }, required: ['b'] },
    ]);
  return random.pick<JSONSchemaProps>([
    { minLength: 2 },
    { maxLength: 3, pattern: 'b' },
    { minimum: 2 },
    { multipleOf: 0.5 },
    { enum: ['a', 1, true, null] },
    { minItems: 1 },
    { minProperties: 1 },
    { format: 'date' },
    {},
  ]);
}

/** With a default of some field, that fits. */
function withDefaults(schema: JSONSchemaProps, random: Random): JSONSchemaProps {
  if (!random.chance(0.3)) return schema;
  const value = randomValue(random, schema);
  const whole = { ...schema, default: value };
  return value !== null && problemsOf(rootWith(whole)).length === 0 ? whole : schema;
}

const odd: readonly JsonValue[] = ['x', 1, 1.5, true, [], {}, ['a'], { a: 'a' }, { c: 1 }];

/** A value that fits the schema, or nearly. */
export function randomValue(random: Random, schema: JSONSchemaProps): JsonValue {
  if (random.chance(0.05)) return null;
  if (random.chance(0.05)) return random.pick(odd);
  if (schema.enum !== undefined && random.chance(0.5)) return random.pick(schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true)
    return random.chance(0.5) ? random.pick(texts) : random.pick(random.chance(0.9) ? integers : numbers);
  switch (schema.type) {
    case 'string':
      return random.pick(texts);
    case 'integer':
      return random.pick(random.chance(0.9) ? integers : numbers);
    case 'number':
      return random.pick(numbers);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return Array.from({ length: random.integer(0, 3) }, () => randomValue(random, schema.items ?? {}));
    case 'object': {
      const { properties, additionalProperties: values } = schema;
      const fields: Record<string, JsonValue> = {};
      if (schema['x-kubernetes-embedded-resource'] === true) Object.assign(fields, randomResource(random));
      for (const [name, field] of Object.entries(properties ?? {}))
        if (random.chance(0.8)) fields[name] = randomValue(random, field);
      if (values !== undefined)
        for (const name of ['k', 'l', 'constructor'].slice(0, random.integer(0, 3)))
          fields[name] = typeof values === 'object' ? randomValue(random, values) : random.pick(odd);
      if (random.chance(0.04)) fields['unknown'] = random.pick(odd);
      return fields;
    }
    case undefined:
    default:
      return random.pick(odd);
  }
}

function randomResource(random: Random): Record<string, JsonValue> {
  const resource: Record<string, JsonValue> = {};
  if (random.chance(0.95))
    resource['apiVersion'] = random.pick(['v1', 'apps/v1', 'v1', 'v1', 'a/b/c', '', 1]);
  if (random.chance(0.95)) resource['kind'] = random.pick(['Pod', 'Pod', 'Pod', 'a_b', '', 1]);
  if (random.chance(0.4))
    resource['metadata'] = random.pick<JsonValue>([
      {},
      { name: 'x', labels: { a: 'b' } },
      { labels: { 'a b': 'c' } },
      { name: 'x/y' },
      { annotations: { a: 'b c' }, namespace: 'N' },
    ]);
  return resource;
}
