import fc from 'fast-check';
import type { JSONSchemaProps, JsonValue } from '../../../src/compiler/schema/index.ts';
import { fieldSchema } from './schemas.ts';

/** A root schema in which one keyword of one node was changed, added or taken away: often it is wrong then, often not. */
export interface Spoiled {
  readonly schema: JSONSchemaProps;
  readonly change: string;
}

const additions: readonly (readonly [keyof JSONSchemaProps, JsonValue | undefined])[] = [
  ...(['string', 'object', 'array', 'integer', 'number', 'boolean', 'null', ''] as const).map(
    (type) => ['type', type] as const,
  ),
  ...(
    ['type', 'items', 'properties', 'required', 'x-kubernetes-list-map-keys', 'additionalProperties'] as const
  ).map((name) => [name, undefined] as const),
  ...([1, 'text', true, null, {}, [], { name: 'x' }, ['a']] as const).map(
    (value) => ['default', value] as const,
  ),
  ...(['atomic', 'set', 'map', 'granular'] as const).map(
    (value) => ['x-kubernetes-list-type', value] as const,
  ),
  ...(['atomic', 'granular', 'set'] as const).map((value) => ['x-kubernetes-map-type', value] as const),
  ['x-kubernetes-list-map-keys', ['name']],
  ['x-kubernetes-list-map-keys', ['missing']],
  ['x-kubernetes-preserve-unknown-fields', true],
  ['x-kubernetes-preserve-unknown-fields', false],
  ['x-kubernetes-embedded-resource', true],
  ['x-kubernetes-int-or-string', true],
  ['nullable', true],
  ['required', ['someUndeclared']],
  ['pattern', '(?=x)'],
  ['pattern', '['],
  ['format', 'int32'],
  ['format', 'no-such-format'],
  ['minimum', 5],
  ['exclusiveMinimum', true],
  ['multipleOf', 0],
  ['multipleOf', -1],
  ['minLength', 3],
  ['minLength', -1],
  ['maxItems', 2],
  ['uniqueItems', true],
  ['enum', ['a', 1]],
  ['enum', []],
  ['anyOf', [{ type: 'string' }]],
  ['anyOf', [{ minLength: 1 }, { maxLength: 9 }]],
  ['oneOf', [{ required: ['a'] }, { properties: { a: { enum: ['x'] } } }]],
  ['oneOf', [{ properties: { a: { default: 'x' } } }]],
  ['allOf', [{ description: 'text' }]],
  ['allOf', [{ nullable: true }]],
  ['not', { required: ['a'] }],
  ['not', { additionalProperties: false }],
  ['not', { items: { 'x-kubernetes-list-type': 'set' } }],
  ['items', { type: 'string' }],
  ['items', {}],
  ['items', { type: 'object' }],
  ['properties', { a: { type: 'string' } }],
  ['properties', { a: {} }],
  ['additionalProperties', { type: 'string' }],
  ['additionalProperties', true],
  ['additionalProperties', false],
  ['additionalProperties', {}],
];

export const spoiled: fc.Arbitrary<Spoiled> = fc
  .tuple(fieldSchema(2), fc.nat(2 ** 16), fc.constantFrom(...additions))
  .map(([spec, at, [keyword, value]]) => {
    const field = structuredClone(spec);
    const nodes = nodesOf(field, 'spec');
    const [place = 'spec', node = field] = nodes[at % nodes.length] ?? [];
    if (value === undefined) delete node[keyword];
    else (node as Record<string, JsonValue>)[keyword] = value;
    return {
      schema: { type: 'object', properties: { spec: field } },
      change: `${place}: ${keyword} = ${JSON.stringify(value)}`,
    };
  });

function nodesOf(schema: JSONSchemaProps, place: string): [string, JSONSchemaProps][] {
  const { items, additionalProperties: values } = schema;
  return [
    [place, schema],
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      nodesOf(property, `${place}.${name}`),
    ),
    ...(items === undefined ? [] : nodesOf(items, `${place}[]`)),
    ...(typeof values === 'object' ? nodesOf(values, `${place}{}`) : []),
  ];
}
