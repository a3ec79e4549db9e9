import fc from 'fast-check';
import type { JSONSchemaProps, JsonValue, ValidationRule } from '../../../src/compiler/schema/index.ts';
import { checkSchema } from '../../../src/kubernetes/crd/rules/schema/index.ts';
import { validValue } from '../custom-resources/valid.ts';
import { createRandom } from '../random.ts';
import { fieldName, hostileText } from './texts.ts';

type Schema = JSONSchemaProps;

/** The problems of a root schema, in words; none if the API server takes it. */
export function problemsOf(schema: Schema, hasStatus = false): string[] {
  const problems: string[] = [];
  const dropped = checkSchema(schema as Record<string, unknown>, {
    path: [],
    hasStatus,
    problem: (path, message) => problems.push(`${path.join('.')}: ${message}`),
  });
  return [...problems, ...dropped.map((path) => `${path.join('.')}: unknown`)];
}

const sparse = <T>(arbitrary: fc.Arbitrary<T>, weight = 4): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: weight });

/** Some of the keywords, each there or not. */
function keywords(arbitraries: {
  readonly [K in keyof Schema]?: fc.Arbitrary<Schema[K]>;
}): fc.Arbitrary<Schema> {
  const optional = Object.entries(arbitraries).map(([name, arbitrary]) => [
    name,
    sparse(arbitrary as fc.Arbitrary<JsonValue>, 3),
  ]);
  return fc
    .record(Object.fromEntries(optional) as Record<string, fc.Arbitrary<JsonValue | undefined>>)
    .map(
      (record) =>
        Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Schema,
    );
}

const anyJson: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !JSON.stringify(value).includes('e')) as fc.Arbitrary<JsonValue>;

const rule: fc.Arbitrary<ValidationRule> = fc
  .record({
    rule: fc.constantFrom('true', 'true || false', "'*/' != '@minimum'", '1 < 2', '"`" != "${x}"'),
    message: fc.constantFrom('must hold', 'never */ this', 'a @tag', ' `tick` '),
    messageExpression: sparse(fc.constantFrom("'text'", "'a' + 'b'")),
    reason: sparse(
      fc.constantFrom(
        'FieldValueInvalid',
        'FieldValueForbidden',
        'FieldValueRequired',
        'FieldValueDuplicate',
      ),
    ),
    optionalOldSelf: sparse(fc.constant(false), 8),
  })
  .map(
    (record) =>
      Object.fromEntries(
        Object.entries(record).filter(([, value]) => value !== undefined),
      ) as unknown as ValidationRule,
  );

/** What every schema may say. */
const common = keywords({
  description: hostileText,
  title: hostileText,
  nullable: fc.boolean(),
  example: anyJson,
  externalDocs: fc.record(
    { url: fc.constantFrom('https://example.com/a', ''), description: hostileText },
    { requiredKeys: [] },
  ),
  'x-kubernetes-validations': fc.array(rule, { minLength: 1, maxLength: 2 }),
});

const bounds = (number: fc.Arbitrary<number>): fc.Arbitrary<Schema> =>
  keywords({
    minimum: number,
    maximum: number,
    exclusiveMinimum: fc.boolean(),
    exclusiveMaximum: fc.boolean(),
    multipleOf: fc.constantFrom(1, 2, 5),
  });

const text: fc.Arbitrary<Schema> = fc
  .tuple(
    fc.constant<Schema>({ type: 'string' }),
    keywords({
      format: fc.constantFrom(
        'date-time',
        'byte',
        'duration',
        'uuid',
        'ipv4',
        'date',
        'password',
        'hostname',
        'uri',
      ),
      minLength: fc.nat(5),
      maxLength: fc.integer({ min: 5, max: 300 }),
      pattern: fc.constantFrom(
        '^[a-z]+$',
        '^\\d{1,3}$',
        'a*/b',
        '(?i)abc',
        '^(?P<n>x)$',
        '^[^`${}]*$',
        '@default',
        '^\\p{L}+$',
        '"',
      ),
      enum: fc.uniqueArray(fc.oneof(hostileText, fc.constantFrom('a', 'b', 'Always', 'Never')), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  )
  .map(merged);

const integer: fc.Arbitrary<Schema> = fc
  .tuple(
    fc.constant<Schema>({ type: 'integer' }),
    keywords({
      format: fc.constantFrom('int32', 'int64'),
      enum: fc.uniqueArray(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 3 }),
    }),
    bounds(fc.oneof(fc.integer({ min: -100, max: 100 }), fc.constantFrom(2 ** 31 - 1, 2 ** 53 - 1))),
  )
  .map(merged);

const number: fc.Arbitrary<Schema> = fc
  .tuple(
    fc.constant<Schema>({ type: 'number' }),
    keywords({ format: fc.constantFrom('double', 'float') }),
    bounds(fc.constantFrom(-1.5, 0, 0.1, 1, 2.75, 1e21, 1e-7)),
  )
  .map(merged);

const boolean: fc.Arbitrary<Schema> = keywords({
  enum: fc.constantFrom<JsonValue[]>([true], [false], [true, false]),
}).map((some) => ({ type: 'boolean', ...some }));

const intOrString: fc.Arbitrary<Schema> = fc.constantFrom<Schema>(
  { 'x-kubernetes-int-or-string': true },
  { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  {
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern: '^[0-9]+%?$',
  },
  { 'x-kubernetes-int-or-string': true, maxLength: 5 },
  {
    'x-kubernetes-int-or-string': true,
    allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { maximum: 9 }],
  },
);

const open: fc.Arbitrary<Schema> = fc.constantFrom<Schema>(
  { 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'object' },
  { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'object', additionalProperties: true },
  { type: 'object', properties: {} },
);

function merged(parts: readonly Schema[]): Schema {
  return Object.assign({}, ...parts) as Schema;
}

/** Schemas of fields, that the API server takes; most use several keywords at once. */
export function fieldSchema(depth: number): fc.Arbitrary<Schema> {
  const leaf = fc.oneof(
    { weight: 3, arbitrary: text },
    { weight: 2, arbitrary: integer },
    number,
    boolean,
    intOrString,
    open,
  );
  const shape =
    depth <= 0 ? leaf : fc.oneof({ weight: 2, arbitrary: leaf }, list(depth), map(depth), object(depth));
  return fc
    .tuple(shape, common, sparse(fc.nat(2 ** 31 - 1), 3))
    .map(([own, shared, seed]) => withDefault({ ...own, ...shared }, seed))
    .map(withoutProblems);
}

function list(depth: number): fc.Arbitrary<Schema> {
  const size = keywords({ minItems: fc.nat(2), maxItems: fc.integer({ min: 2, max: 20 }) });
  const plain = fc
    .tuple(fieldSchema(depth - 1), sparse(fc.constantFrom('atomic', 'set')))
    .map(([items, type]): Schema => {
      return { type: 'array', items, ...(type === undefined ? {} : { 'x-kubernetes-list-type': type }) };
    });
  const keyed = fc
    .tuple(object(depth - 1), fc.constantFrom<string[]>(['name'], ['name', 'port'], ['port']))
    .map(([items, keys]): Schema => {
      const own: Record<string, Schema> = {
        name: { type: 'string' },
        port: { type: 'integer', format: 'int32' },
      };
      const properties = {
        ...items.properties,
        ...Object.fromEntries(keys.map((key) => [key, own[key] ?? {}])),
      };
      const required = [...new Set([...(items.required ?? []), ...keys])];
      return {
        type: 'array',
        items: { ...items, properties, required },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': keys,
      };
    });
  return fc.tuple(fc.oneof(plain, keyed), size).map(merged);
}

function map(depth: number): fc.Arbitrary<Schema> {
  const size = keywords({
    minProperties: fc.nat(2),
    maxProperties: fc.integer({ min: 2, max: 9 }),
    'x-kubernetes-map-type': fc.constantFrom('atomic', 'granular'),
  });
  return fc
    .tuple(fieldSchema(depth - 1), size)
    .map(([values, others]) => ({ type: 'object', additionalProperties: values, ...others }));
}

function object(depth: number): fc.Arbitrary<Schema> {
  const others = keywords({
    minProperties: fc.nat(1),
    'x-kubernetes-map-type': fc.constantFrom('atomic', 'granular'),
    'x-kubernetes-preserve-unknown-fields': fc.constant(true),
  });
  return fc
    .tuple(
      fc.dictionary(fieldName, fieldSchema(depth - 1), { minKeys: 1, maxKeys: 4 }),
      others,
      fc.nat(2 ** 16),
      fc.nat(19),
    )
    .map(([properties, more, mask, junctor]): Schema => {
      const names = Object.keys(properties);
      const required = names.filter((_, index) => (mask >> index) % 2 === 1);
      return {
        type: 'object',
        properties,
        ...(required.length > 0 ? { required } : mask % 7 === 0 ? { required: [] } : {}),
        ...junctors(names, junctor),
        ...more,
      };
    });
}

/** What junctors of CRDs say: which fields go together, and of which values. */
function junctors(names: readonly string[], which: number): Schema {
  const branches = names.map((name): Schema => ({ required: [name] }));
  const [first = 'x'] = names;
  if (which === 0) return { oneOf: branches };
  if (which === 1) return { anyOf: branches };
  if (which === 2) return { not: { required: [first, 'other'] } };
  if (which === 3) return { allOf: [{ anyOf: branches }, { not: { required: ['a', 'b'] } }] };
  if (which === 4)
    return { oneOf: [{ properties: { [first]: { enum: ['a'] } } }, { not: { required: [first] } }] };
  return {};
}

/** With a default that fits, if one is found. */
function withDefault(schema: Schema, seed: number | undefined): Schema {
  if (seed === undefined) return schema;
  const value = validValue(schema, { random: createRandom(seed), richness: 'some', budget: 5 });
  const whole = { ...schema, default: value };
  return isAccepted(whole) ? whole : schema;
}

const isAccepted = (field: Schema): boolean =>
  problemsOf({ type: 'object', properties: { spec: { type: 'object', properties: { field } } } }).length ===
  0;

/** What does not go together is taken apart: the keywords go one by one, the last ones first. */
function withoutProblems(schema: Schema): Schema {
  if (isAccepted(schema)) return schema;
  const names = Object.keys(schema).filter(
    (name) =>
      !['type', 'items', 'properties', 'additionalProperties', 'x-kubernetes-int-or-string'].includes(name),
  );
  for (let count = 1; count <= names.length; count++) {
    const dropped = names.slice(-count);
    const rest = Object.fromEntries(
      Object.entries(schema).filter(([name]) => !dropped.includes(name)),
    ) as Schema;
    if (isAccepted(rest)) return rest;
  }
  return { type: 'string' };
}
