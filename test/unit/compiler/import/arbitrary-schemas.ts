import fc from 'fast-check';
import type { JSONSchemaProps, JsonValue } from '../../../../src/compiler/schema/index.ts';

/** Pieces of text that mean something to comments, tags, JSON, templates or TypeScript. */
const pieces = [
  ...[
    '@minimum 1',
    ' @see x',
    '@',
    'a@b.c',
    '*/',
    '*\\/',
    '/**',
    '//',
    '{@link x}',
    '`',
    '${x}',
    '{{x}}',
    '{',
    '}',
  ],
  ...[
    '\n',
    '\r\n',
    '\n\n',
    '\t',
    ' ',
    '  ',
    '\u2028',
    '\u00a0',
    '\ufeff',
    '\u0007',
    '+optional',
    '\n+listType=map',
  ],
  ...[
    'word',
    'Words of a text.',
    '* item',
    '- item',
    '"',
    "'",
    '\\',
    '\\n',
    '#',
    ':',
    '<b>',
    'null',
    '10',
    'é',
    '😀',
  ],
];
/** Texts of any kind, the awkward ones often. */
export const text = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), { maxLength: 6 })
  .map((parts) => parts.join(''));
const line = text.map((value) => value.replace(/[\n\r]/g, ' ').trim()).filter((value) => value !== '');
const name = fc.oneof(
  fc.constantFrom(
    'name',
    'kind',
    'constructor',
    '__proto__',
    'toString',
    'a.b/c',
    '',
    '1',
    'new',
    'get',
    'x-y',
    'it"s',
    "o'",
  ),
  text,
  fc.string({ maxLength: 6 }),
);
const patterns = ['^a*/b$', '^[^/]*\\/x$', ' x', 'x ', '@a', 'a @b', '^\\d+"$', '`${x}`', '^(\\s+@x)?\\n$'];

/** What may stand on any node; each is there or not. */
const about = fc.record(
  {
    description: text,
    title: line,
    nullable: fc.boolean(),
    example: fc.jsonValue().filter((value) => value !== null) as fc.Arbitrary<JsonValue>,
    externalDocs: fc.constantFrom(
      { url: 'https://example.com/a b' },
      { url: 'https://example.com', description: 'More @here' },
      { description: 'only a text' },
    ),
    'x-kubernetes-validations': fc.array(
      fc.record(
        { rule: fc.constantFrom('true', 'self == self', '1 == 1 || "@x */" == "{@link"'), message: line },
        { requiredKeys: ['rule'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

const some = <T extends Record<string, unknown>>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const scalar: fc.Arbitrary<JSONSchemaProps> = fc.oneof(
  some({
    pattern: fc.constantFrom(...patterns),
    minLength: fc.constantFrom(0, 1),
    maxLength: fc.constantFrom(5, 20),
    format: fc.constantFrom('date-time', 'byte', 'duration', 'uuid'),
  }).map((more) => ({ type: 'string', ...more })),
  text.map((value) => ({ type: 'string', default: value })),
  fc.array(text, { minLength: 1, maxLength: 4 }).map((values) => ({ type: 'string', enum: values })),
  some({
    minimum: fc.constantFrom(-5, 0, 1),
    exclusiveMinimum: fc.constant(true),
    maximum: fc.constantFrom(10, 100),
    multipleOf: fc.constantFrom(1, 2),
    format: fc.constantFrom('int32', 'int64'),
  }).map((more) => ({ type: 'integer', ...more })),
  fc
    .array(fc.integer({ min: -3, max: 9 }), { minLength: 1, maxLength: 3 })
    .map((values) => ({ type: 'integer', enum: values })),
  some({ minimum: fc.constantFrom(0.5, -1e-7, 1e21), format: fc.constantFrom('float', 'double') }).map(
    (more) => ({
      type: 'number',
      ...more,
    }),
  ),
  fc
    .array(fc.constantFrom(1, 2, 0.5), { minLength: 1, maxLength: 3 })
    .map((values) => ({ type: 'number', enum: values })),
  fc.constantFrom<JSONSchemaProps>(
    { type: 'string', format: 'binary' },
    { type: 'number', format: 'int32' },
    { type: 'integer', format: 'int32', maximum: 4294967295 },
    { type: 'integer', format: 'int64', default: 9007199254740991 },
    {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      format: 'int-or-string',
    },
    { type: 'object', properties: { a: { type: 'integer', default: 1 } }, default: {} },
    { type: 'object', additionalProperties: { type: 'string' }, default: { '@a': '*/', b: ' @x' } },
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', default: ['`', '@x'] },
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { 'k-1': { type: 'string' }, k2: { type: 'integer', default: 0 } },
        required: ['k-1'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k2', 'k-1'],
    },
    { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-embedded-resource': true },
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
    { type: 'object', properties: { a: { type: 'string' } }, required: [] },
    { type: 'object', properties: { "'quoted'": { type: 'string' } } },
    { type: 'boolean' },
    { type: 'boolean', default: false },
    { type: 'boolean', enum: [true] },
    { type: 'boolean', enum: [false, true] },
    { 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object' },
    { type: 'object', properties: {} },
    { type: 'object', required: [] },
    { type: 'object', required: ['b', 'a b'] },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true },
    { type: 'object', additionalProperties: true },
    { 'x-kubernetes-int-or-string': true },
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      default: '25%',
      pattern: '^.*%$',
    },
    { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }] },
  ),
);

/** Rules cannot read values without a type. */
function withReadableValues(schema: JSONSchemaProps): JSONSchemaProps {
  if (hasCelType(schema)) return schema;
  const { 'x-kubernetes-validations': _, ...rest } = schema;
  return rest;
}

function hasCelType({ type, items, additionalProperties, ...schema }: JSONSchemaProps): boolean {
  if (type === 'array') return items !== undefined && hasCelType(items);
  if (type === 'object' && typeof additionalProperties === 'object') return hasCelType(additionalProperties);
  return type !== undefined || schema['x-kubernetes-int-or-string'] === true;
}

/** Schemas as the API server takes them below the root, with odd texts and names. */
export const { node: anySchema } = fc.letrec<{
  node: JSONSchemaProps;
  list: JSONSchemaProps;
  record: JSONSchemaProps;
  object: JSONSchemaProps;
}>((tie) => ({
  node: fc
    .tuple(fc.oneof({ depthSize: 'small' }, scalar, tie('object'), tie('list'), tie('record')), about)
    .map(([schema, more]) => withReadableValues({ ...schema, ...more })),
  list: fc
    .tuple(
      tie('node'),
      some({
        maxItems: fc.constantFrom(3, 10),
        default: fc.constant([]),
        'x-kubernetes-list-type': fc.constant('atomic'),
      }),
    )
    .map(([items, more]) => ({ type: 'array', items, ...more })),
  record: fc
    .tuple(
      tie('node'),
      some({
        maxProperties: fc.constantFrom(3, 10),
        'x-kubernetes-map-type': fc.constantFrom('atomic', 'granular'),
      }),
    )
    .map(([values, more]) => ({ type: 'object', additionalProperties: values, ...more })),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, tie('node'), fc.boolean()), {
        minLength: 1,
        maxLength: 4,
        selector: ([field]) => field,
      }),
      some({
        minProperties: fc.constantFrom(0, 1),
        'x-kubernetes-preserve-unknown-fields': fc.constant(true),
        'x-kubernetes-map-type': fc.constantFrom('atomic', 'granular'),
        additionalProperties: fc.constant(true),
        oneOf: fc.constant<JSONSchemaProps[]>([{ required: ['a'] }, { not: { required: ['b'] } }]),
      }),
    )
    .map(([fields, more]) => {
      const required = fields.filter(([, , isRequired]) => isRequired).map(([field]) => field);
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(([field, schema]) => [field, schema])),
        ...(required.length === 0 ? {} : { required }),
        ...more,
      };
    }),
}));
