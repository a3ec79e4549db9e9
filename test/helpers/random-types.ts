import fc from 'fast-check';

/** Sources of random kinds: each declares `interface Sample`, from shapes and tags that fit, and ones that do not. */
const fitting = fc.constantFrom(
  ...[
    'Int32',
    'Int64',
    'Integer',
    'Float',
    'Double',
    '1',
    '1 | 2',
    'Size',
    'boolean',
    'true',
    'bigint',
    'Item',
    'Shape',
  ],
  ...[
    'string',
    "'a'",
    "'a' | 'b'",
    'Mode',
    'Level',
    'DateTime',
    'Duration',
    'Base64',
    'Quantity',
    'IntOrString',
  ],
  ...[
    '`v${string}`',
    '`${number}Gi`',
    '`${Mode}-x`',
    '(typeof modes)[number]',
    "Exclude<'a' | 'b', 'a'>",
    'Named',
  ],
  ...['Json', 'JsonObject', 'EmptyObject', 'RawExtension', 'EmbeddedResource', 'EmbeddedResource<Embedded>'],
  ...['EmbeddedObjectMeta', 'Condition', 'PodTemplateSpec', 'ContainerPort', 'keyof Item', 'ObjectMeta'],
);
const doubtful = fc.constantFrom(
  ...[
    'number',
    '1 | 2.5',
    'Date',
    'Uppercase<Mode>',
    'null',
    'any',
    'unknown',
    'never',
    'void',
    'undefined',
    'object',
    '{}',
  ],
  ...[
    'symbol',
    'unique symbol',
    '() => void',
    'Map<string, string>',
    'Set<string>',
    'Uint8Array',
    'Promise<string>',
    'RegExp',
  ],
  ...['Tree', 'Klass', 'Missing', 'this', 'Recursive<string>', 'Error', 'string | number'],
);

/** Names of fields, as types of keys. */
const keys = fc.constantFrom(
  ...[
    "'a' | 'b'",
    'Mode',
    "Mode | 'c'",
    'Level',
    "Level | 'c'",
    "Level.Low | 'c'",
    'keyof Item',
    "Wider | 'd'",
  ],
  ...['(typeof modes)[number]', "(typeof modes)[number] | 'c'", '`${Mode}-x` | Mode', "Exclude<Wider, 'on'>"],
  ...['Mode | never', '1 | Mode', 'string | Mode', 'string', 'never', 'number | Mode'],
);

const typeText: (depth: number) => fc.Arbitrary<string> = (depth) => {
  const leaf = fc.oneof({ weight: 15, arbitrary: fitting }, doubtful);
  if (depth <= 0) return leaf;
  const inner = typeText(depth - 1);
  const members = fc.dictionary(
    fc.constantFrom('a', 'b', 'type', "'x-y'", '0'),
    fc.tuple(inner, fc.boolean()),
    { minKeys: 1, maxKeys: 3 },
  );
  const object = members.map(
    (fields) =>
      `{ ${Object.entries(fields)
        .map(([name, [of, optional]]) => `${name}${optional ? '?' : ''}: ${of};`)
        .join(' ')} }`,
  );
  const wrapped = (form: (of: string) => string) => inner.map(form);
  return fc.oneof(
    { weight: 12, arbitrary: leaf },
    { weight: 8, arbitrary: object },
    { weight: 3, arbitrary: wrapped((of) => `(${of})[]`) },
    { weight: 3, arbitrary: wrapped((of) => `Record<string, ${of}>`) },
    wrapped((of) => `{ [key: string]: ${of} }`),
    wrapped((of) => `${of} | null`),
    wrapped((of) => `${of} | undefined`),
    wrapped((of) => `readonly (${of})[]`),
    wrapped((of) => `[${of}, ${of}]`),
    wrapped((of) => `ListSet<${of}>`),
    wrapped((of) => `AtomicList<${of}>`),
    wrapped((of) => `AtomicMap<${of}>`),
    wrapped((of) => `Box<${of}>`),
    wrapped((of) => `If<${of}>`),
    object.map((of) => `ListMap<${of}, 'a'>`),
    object.map((of) => `AtomicObject<${of}>`),
    object.map((of) => `Partial<${of}>`),
    object.map((of) => `Required<${of}>`),
    object.map((of) => `ExactlyOneOf<${of}>`),
    object.map((of) => `AtLeastOneOf<${of}>`),
    object.map((of) => `Readonly<${of}>`),
    object.map((of) => `Optional<${of}>`),
    object.map((of) => `Renamed<${of}>`),
    object.map((of) => `Pick<Item, 'name'> & ${of}`),
    object.map((of) => `Omit<Item, 'name'> | ${of}`),
    fc.tuple(object, object).map(([a, b]) => `${a} | ${b}`),
    fc.tuple(object, object).map(([a, b]) => `${a} & ${b}`),
    fc.tuple(inner, inner).map(([a, b]) => `${a} | ${b}`),
    wrapped((of) => `NonNullable<${of}>`),
    wrapped((of) => `Readonly<${of}>`),
    wrapped((of) => `Partial<${of}>`),
    wrapped((of) => `DeepReadonly<${of}>`),
    wrapped((of) => `DeepPartial<${of}>`),
    fc.tuple(keys, inner).map(([key, of]) => `Record<${key}, ${of}>`),
    fc.tuple(keys, inner).map(([key, of]) => `Partial<Record<${key}, ${of}>>`),
    fc.tuple(keys, inner).map(([key, of]) => `Pick<Record<Wider, ${of}>, Extract<Wider, ${key}>>`),
    fc.tuple(keys, object).map(([key, of]) => `Omit<${of}, ${key}>`),
  );
};

const tag = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', 'items.', 'values.', 'items.items.'),
      fc.constantFrom(
        'minimum',
        'maximum',
        'minLength',
        'maxLength',
        'minItems',
        'maxItems',
        'minProperties',
        'multipleOf',
      ),
      fc.constantFrom('1', '0', '-1', '2.5', 'x', '', '99999999999'),
    )
    .map(([prefix, name, value]) => `@${prefix}${name} ${value}`),
  fc.constantFrom(
    ...[
      '@pattern ^[a-z]+$',
      '@pattern (?=x)',
      '@pattern [',
      '@format int32',
      '@format date-time',
      '@format nonsense',
      '@default 1',
      "@default 'a'",
    ],
    ...[
      '@default {}',
      '@default [',
      '@nullable',
      '@immutable',
      '@title T',
      '@example 1',
      '@cel self == self',
      '@cel self ===',
      '@cel true : "message"',
    ],
    ...[
      '@cel {"rule": "true", "reason": "Nonsense"}',
      '@embeddedResource',
      '@preserveUnknownFields',
      '@mapType atomic',
      '@mapType x',
      '@required a, zz',
    ],
    ...[
      '@oneOf [{"required": ["a"]}]',
      '@anyOf [{"type": "string"}]',
      '@not {"required": ["b"]}',
      '@allOf []',
      '@k8s {"maxLength": 3}',
      '@k8s {',
      '@k8s {"type": "string"}',
    ],
    ...[
      '@k8s {"x-kubernetes-preserve-unknown-fields": true}',
      '@selectable',
      '@scale spec',
      '@scale x',
      '@printerColumn Name',
      '@externalDocs https://example.com',
    ],
    ...[
      '@description "json */"',
      '@allow schema/double because',
      '@allow',
      '@nonsense',
      '@listType set',
      '@deprecated old',
      '@see elsewhere',
      '@exclusiveMinimum',
      '@items.nullable',
    ],
  ),
);

const doc = fc
  .tuple(
    fc.constantFrom('', 'Text.', 'Text {@link X}.', 'Line one\n * line two'),
    fc.array(tag, { maxLength: 2 }),
  )
  .map(([words, tags]) =>
    words === '' && tags.length === 0
      ? ''
      : `/**\n * ${[words, ...tags].filter((line) => line !== '').join('\n * ')}\n */\n  `,
  );

const field = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: fc.constant('') }, doc),
  fc.constantFrom('value', 'other', "'odd-name'", 'count'),
  fc.boolean(),
  typeText(2),
);

const fields = fc
  .uniqueArray(field, { minLength: 1, maxLength: 3, selector: ([, name]) => name })
  .map((list) =>
    list
      .map(([comment, name, optional, of]) => `  ${comment}${name}${optional ? '?' : ''}: ${of};`)
      .join('\n'),
  );

const prelude = `import type { AtLeastOneOf, AtomicList, AtomicMap, AtomicObject, Base64, Condition, CustomResource, DateTime, Double, Duration, EmbeddedResource, EmptyObject, ExactlyOneOf, Float, Int32, Int64, Integer, IntOrString, Json, JsonObject, ListMap, ListSet, ObjectMeta, EmbeddedObjectMeta, Quantity, RawExtension } from 'opsdk';
import type { ContainerPort, PodTemplateSpec } from 'opsdk/k8s/core/v1';
/** @maxLength 5 */
type Named = string;
/** @minimum 1 */
type Size = Int32;
type Mode = 'on' | 'off';
enum Level { Low = 'low', High = 'high' }
const modes = ['x', 'y'] as const;
interface Item { name: string; size?: Size; mode: Mode }
interface Tree { children?: Tree[] }
interface Embedded extends CustomResource { spec: Item }
class Klass { name = 'x'; #secret = 1; private own?: string; method(): void {} }
type Shape = { kind: 'circle'; circle: { radius: Int32 } } | { kind: 'square'; square: { side: Int32 } };
interface Box<T> { inside: T; more?: T[] }
type Recursive<T> = { next?: Recursive<T>; of: T };
type If<T> = T extends string ? { text: T } : { other: T };
type Optional<T> = { [K in keyof T]?: T[K] };
type Wider = Mode | Level | 'e';
type DeepReadonly<T> = { readonly [K in keyof T]: DeepReadonly<T[K]> };
type DeepPartial<T> = { [K in keyof T]?: DeepPartial<T[K]> };
type Renamed<T> = { [K in keyof T as \`my\${string & K}\`]: T[K] };
`;

/** The source of one kind. */
export const randomType: fc.Arbitrary<string> = fc
  .record({
    spec: fields,
    status: fc.option(fields, { nil: undefined, freq: 1 }),
    rootDoc: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, doc),
    optional: fc.boolean(),
  })
  .map(({ spec, status, rootDoc, optional }) => {
    const root = [
      `  spec${optional ? '?' : ''}: Spec;`,
      ...(status === undefined ? [] : ['  status?: Status;']),
    ].join('\n');
    const statusType = status === undefined ? '' : `interface Status {\n${status}\n}\n`;
    return `${prelude}interface Spec {\n${spec}\n}\n${statusType}${rootDoc.trimEnd()}\nexport interface Sample extends CustomResource {\n${root}\n}\n`;
  });
