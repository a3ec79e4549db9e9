// Random structural schemas, small changes of them, and objects that nearly fit.
import fc from 'fast-check';
import type { TestSchema as Schema } from './tiny-api-server.ts';

const names = ['a', 'b', 'c'];
const texts = ['a', 'b', 'ab', 'ba', ''];
const numbers = [-1, 0, 1, 2, 3, 4, 6];

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

/** Without keys that are undefined. */
const record = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Schema> =>
  fc
    .record(model)
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)));

const text = record({
  type: fc.constant('string'),
  nullable: maybe(fc.constant(true)),
  enum: maybe(fc.subarray(texts, { minLength: 1 })),
  minLength: maybe(fc.constantFrom(0, 1, 2)),
  maxLength: maybe(fc.constantFrom(1, 2, 3)),
  pattern: maybe(fc.constantFrom('^a', 'b$')),
  default: maybe(fc.constantFrom(...texts)),
});

const number = record({
  type: fc.constantFrom('integer', 'integer', 'number'),
  nullable: maybe(fc.constant(true)),
  minimum: maybe(fc.constantFrom(...numbers)),
  exclusiveMinimum: maybe(fc.boolean()),
  maximum: maybe(fc.constantFrom(...numbers)),
  exclusiveMaximum: maybe(fc.boolean()),
  multipleOf: maybe(fc.constantFrom(1, 2, 3)),
  enum: maybe(fc.subarray(numbers, { minLength: 1 })),
  default: maybe(fc.constantFrom(...numbers)),
});

const others: fc.Arbitrary<Schema> = fc.constantFrom<Schema>(
  { type: 'boolean' },
  { type: 'boolean', default: true },
  { 'x-kubernetes-int-or-string': true },
  { 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'object' },
);

const junctors = record({
  oneOf: maybe(fc.constantFrom([{ required: ['a'] }, { required: ['b'] }], [{ required: ['c'] }])),
  anyOf: maybe(fc.constantFrom([{ required: ['a'] }, { required: ['b'] }])),
  not: maybe(fc.constantFrom<Schema>({ required: ['a', 'b'] }, { minProperties: 2 })),
});

const { node } = fc.letrec<{ node: Schema }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: text, weight: 3 },
    { arbitrary: number, weight: 3 },
    { arbitrary: others, weight: 2 },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          record({
            type: fc.constant('object'),
            properties: fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 3 }),
            required: maybe(fc.subarray(names)),
            minProperties: maybe(fc.constantFrom(0, 1)),
            maxProperties: maybe(fc.constantFrom(1, 2)),
            nullable: maybe(fc.constant(true)),
            'x-kubernetes-preserve-unknown-fields': maybe(fc.constant(true)),
            default: maybe(fc.constant({})),
          }),
          fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, junctors),
        )
        .map(([object, more]) => ({ ...object, ...more })),
    },
    record({ type: fc.constant('object'), additionalProperties: tie('node') }),
    record({
      type: fc.constant('array'),
      items: tie('node'),
      minItems: maybe(fc.constantFrom(0, 1)),
      maxItems: maybe(fc.constantFrom(1, 2)),
      'x-kubernetes-list-type': maybe(fc.constantFrom('set', 'atomic')),
    }),
  ),
}));

/** A schema of a whole object: `spec` is what is random. */
export const rootSchema: fc.Arbitrary<Schema> = node.map((spec) => ({
  type: 'object',
  properties: { spec },
}));

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths of all nodes of a schema. */
function nodesOf(schema: Schema, path: readonly string[] = []): readonly (readonly string[])[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, item]) =>
    nodesOf(item, [...path, 'properties', name]),
  );
  const items = schema.items === undefined ? [] : nodesOf(schema.items, [...path, 'items']);
  const { additionalProperties: values } = schema;
  return [
    path,
    ...fields,
    ...items,
    ...(isTree(values) ? nodesOf(values, [...path, 'additionalProperties']) : []),
  ];
}

function replaceAt(tree: Tree, [key, ...rest]: readonly string[], change: (node: Schema) => Schema): Tree {
  if (key === undefined) return change(tree) as Tree;
  const inner = tree[key];
  return isTree(inner) ? { ...tree, [key]: replaceAt(inner, rest, change) } : tree;
}

/** A default that fits in most cases. */
function withDefault(old: Schema, choice: number): Schema {
  const values: Readonly<Record<string, readonly unknown[]>> = {
    string: texts,
    integer: numbers,
    boolean: [true],
    object: [{}],
  };
  const fitting = old.enum ?? values[old.type ?? ''] ?? [];
  return fitting.length === 0 ? old : { ...old, default: fitting[choice % fitting.length] };
}

/** One or two changes: a keyword comes, goes or changes, or a field does, or a node becomes another. */
export function changed(schema: Schema): fc.Arbitrary<Schema> {
  const one = (from: Schema): fc.Arbitrary<Schema> =>
    fc
      .tuple(fc.constantFrom(...nodesOf(from).filter((path) => path.length > 0)), node, fc.nat(30), fc.nat(7))
      .map(([path, other, choice, kind]) =>
        replaceAt(from as Tree, path, (old) => {
          const keywords = Object.keys(old).filter((key) => key !== 'type');
          const keyword = keywords[choice % Math.max(keywords.length, 1)] ?? 'nullable';
          if (kind === 0) return other;
          if (kind === 7) return withDefault(old, choice);
          if (kind <= 2) return Object.fromEntries(Object.entries(old).filter(([key]) => key !== keyword));
          if (kind <= 4) {
            // Only what fits the type: `minLength` on a number is noise.
            if (other.type !== old.type) return old;
            const added = Object.keys(other)[choice % Object.keys(other).length] ?? 'type';
            return { ...old, [added]: (other as Tree)[added] };
          }
          const properties = { ...old.properties };
          const name = names[choice % names.length] ?? 'a';
          if (old.type !== 'object' || old.additionalProperties !== undefined) return old;
          if (kind === 5) return { ...old, properties: { ...properties, [name]: other } };
          return {
            ...old,
            properties: Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name)),
          };
        }),
      );
  return fc.oneof(one(schema), one(schema).chain(one));
}

/** A value that fits the schema in most places, with fields that are unknown and values that are wrong. */
export function nearly(schema: Schema): fc.Arbitrary<unknown> {
  const junk = fc.constantFrom<unknown>(null, 'a', 1, true, {}, { a: 1 }, []);
  return fc.oneof({ arbitrary: fitting(schema), weight: 12 }, { arbitrary: junk, weight: 1 });
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type ?? '') {
    case 'string':
      return fc.constantFrom(...texts);
    case 'integer':
      return fc.constantFrom(...numbers);
    case 'number':
      return fc.constantFrom(...numbers, 1.5);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(nearly(schema.items ?? {}), { maxLength: 3 });
    case 'object': {
      const fields = Object.fromEntries(names.map((name) => [name, nearly(childOf(schema, name))]));
      return fc.record(fields, { requiredKeys: [] });
    }
    default:
      return fc.constantFrom<unknown>(1, 'a', 3);
  }
}

function childOf({ properties, additionalProperties }: Schema, name: string): Schema {
  return properties?.[name] ?? (isTree(additionalProperties) ? additionalProperties : { type: 'string' });
}

export const objectOf = (schema: Schema): fc.Arbitrary<unknown> =>
  nearly(schema.properties?.['spec'] ?? {}).map((spec) => ({ spec }));

/** An object under a condition, and the same with a default for one of its fields, old or new. */
export const defaultUnderCondition: fc.Arbitrary<{ readonly old: Schema; readonly now: Schema }> = fc
  .record({
    fields: fc.subarray(names, { minLength: 1 }),
    name: fc.constantFrom(...names),
    maxProperties: maybe(fc.constantFrom(1, 2)),
    condition: fc.oneof(fc.constant({}), junctors),
    isDeep: fc.boolean(),
  })
  .map(({ fields, name, maxProperties, condition, isDeep }) => {
    const field = { type: 'string' };
    const inner = {
      type: 'object',
      properties: Object.fromEntries(fields.map((key) => [key, field])),
      ...(maxProperties === undefined ? {} : { maxProperties }),
      ...condition,
    };
    const now = { ...inner, properties: { ...inner.properties, [name]: { ...field, default: 'a' } } };
    const root = (spec: Schema): Schema => ({
      type: 'object',
      properties: { spec: isDeep ? { type: 'object', properties: { a: spec } } : spec },
    });
    return { old: root(inner), now: root(now) };
  });
