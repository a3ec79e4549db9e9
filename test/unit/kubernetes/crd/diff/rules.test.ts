import { describe, expect, test } from 'vitest';
import { changeCodes } from '../../../../../src/kubernetes/crd/diff/change-codes.ts';
import { diffCrds } from '../../../../../src/kubernetes/crd/diff/diff-crds.ts';
import { readDefinitions } from '../../../../../src/kubernetes/crd/diff/read-definitions.ts';
import { compareSchemas, judgedKeywords } from '../../../../../src/kubernetes/crd/diff/compare-schemas.ts';
import { crdSchemaFields } from '../../../../../src/kubernetes/objects/index.ts';

/** What is found between two schemas of `.spec`, as `code path`. */
function compare(old: Record<string, unknown>, now: Record<string, unknown>): readonly string[] {
  const found: string[] = [];
  const [before, after] = [old, now].map((spec) => ({ type: 'object', properties: { spec } }));
  compareSchemas(before ?? {}, after ?? {}, (path, { code }) => void found.push(`${code} ${path}`));
  return found;
}

test.each(['enum', 'default'])('values of %s in a combination are no documentation', (keyword) => {
  const not = (title: string) => {
    const value = { title, description: title };
    return {
      type: 'object',
      not: { properties: { a: { [keyword]: keyword === 'enum' ? [value] : value } } },
    };
  };
  expect(compare(not('x'), not('y'))).toEqual(['combination-changed .spec']);
});

test('a field in a combination may have the name of a keyword', () => {
  const not = (schema: object) => ({ type: 'object', not: { properties: { description: schema } } });
  const [old, now] = [not({ minLength: 1 }), not({ minLength: 2 })];
  expect(compare(old, now)).toEqual(['combination-changed .spec']);
  expect(compare(old, not({ minLength: 1, description: 'x', externalDocs: { url: 'x' } }))).toEqual([]);
});

test('every keyword that a CRD may use is judged by a rule', () => {
  expect(crdSchemaFields.filter((keyword) => !judgedKeywords.has(keyword))).toEqual([]);
});

test('a keyword that no rule knows is breaking, one that the API server drops is not', () => {
  expect(compare({ type: 'array' }, { type: 'array', uniqueItems: true })).toEqual(['keyword-changed .spec']);
  expect(compare({ type: 'string' }, { type: 'string', 'x-note': 1 })).toEqual(['documentation .spec']);
});

test.each([
  [{ type: 'string' }, { type: 'string', nullable: false }],
  [{ type: 'string' }, { type: 'string', minLength: 0 }],
  [{ type: 'integer' }, { type: 'integer', format: 'int64' }],
  [
    { type: 'integer', minimum: 1 },
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
  ],
  [
    { type: 'integer', maximum: 1 },
    { type: 'integer', maximum: 1.5 },
  ],
  [
    { type: 'integer', minimum: 1 },
    { type: 'integer', minimum: 1, exclusiveMinimum: false },
  ],
  [{ type: 'string' }, { type: 'string', enum: [] }],
  [{ type: 'string' }, { type: 'string', pattern: '' }],
  [{ type: 'object' }, { type: 'object', properties: {} }],
  [{ type: 'object' }, { type: 'object', required: [] }],
  [
    { type: 'array', items: {} },
    { type: 'array', items: {}, 'x-kubernetes-list-type': 'atomic' },
  ],
  [{ type: 'object' }, { type: 'object', 'x-kubernetes-map-type': 'granular' }],
  [{ type: 'string', default: null }, { type: 'string' }],
  [
    { 'x-kubernetes-int-or-string': true },
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  ],
  [
    { type: 'object', oneOf: [{ required: ['a', 'b'] }, { required: ['c'] }] },
    { type: 'object', oneOf: [{ required: ['c'], description: 'x' }, { required: ['b', 'a'] }] },
  ],
])('%j and %j say the same', (old, now) => {
  const harmless = (found: readonly string[]) => found.filter((line) => !line.startsWith('documentation '));
  expect(harmless(compare(old, now))).toEqual([]);
  expect(harmless(compare(now, old))).toEqual([]);
});

describe('a list type inside of an atomic list', () => {
  const set = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
  const atomic = { ...set, 'x-kubernetes-list-type': 'atomic' };
  const keyed = (...keys: readonly string[]) => ({
    ...{ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' },
    'x-kubernetes-list-map-keys': keys,
  });
  const rules = { 'x-kubernetes-validations': [{ rule: 'true' }] };
  const inside = (tags: object, rulesAround: object = {}) => ({
    ...{ type: 'array', items: { type: 'object', properties: { tags }, ...rulesAround } },
  });
  /** What is found, as `code affected`. */
  const found = (old: object, now: object): readonly string[] => {
    const changes: string[] = [];
    const [before, after] = [old, now].map((spec) => ({ type: 'object', properties: { spec } }));
    compareSchemas(before ?? {}, after ?? {}, (_, { code, affects = [] }) => {
      if (!code.startsWith('cel-')) changes.push([code, ...affects].join(' '));
    });
    return changes;
  };

  test.each([
    [inside(set), inside(atomic)],
    [inside(keyed('a')), inside(keyed('a', 'b'))],
    // These rules see an item, and not the list around it.
    [
      inside({ ...set, items: { type: 'string', ...rules } }),
      inside({ ...atomic, items: { type: 'string', ...rules } }),
    ],
  ])('changes nothing where no rule of CEL sees the list', (old, now) => {
    expect(found(old, now)).toEqual(['merge-unaffected']);
  });

  test.each([
    ['at the list', inside({ ...set, ...rules }), inside({ ...atomic, ...rules }), 'list-type-atomic'],
    ['around it', inside(set, rules), inside(atomic, rules), 'list-type-atomic'],
    ['farther around it', { ...inside(set), ...rules }, { ...inside(atomic), ...rules }, 'list-type-atomic'],
    ['new', inside(set), inside(atomic, rules), 'list-type-atomic'],
    ['gone', inside({ ...set, ...rules }), inside(atomic), 'list-type-atomic'],
    ['with keys', inside(keyed('a'), rules), inside(keyed('a', 'b'), rules), 'list-map-keys-added'],
    ['outside of atomic lists', { ...set, ...rules }, { ...atomic, ...rules }, 'list-type-atomic'],
  ])('may invalidate stored objects where a rule sees it: %s', (_, old, now, code) => {
    expect(found(old, now)).toEqual([`${code} stored writers`]);
  });
});

test('null is as good as absent in a definition', () => {
  const definition = (schema: unknown, more: object = {}) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Site', plural: 'sites', ...more },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const place = { locate: () => ({ file: 'crd.yaml' }) };
  const [old, now] = [
    definition({ type: 'object', description: null, properties: { spec: { type: 'string', enum: null } } }),
    definition(
      { type: 'object', properties: { spec: { type: 'string' } } },
      { singular: 'site', listKind: 'SiteList' },
    ),
  ].map((value) => readDefinitions([{ value, ...place }], 'new'));
  expect([old?.findings, now?.findings]).toEqual([[], []]);
  expect(diffCrds(old?.definitions ?? [], now?.definitions ?? [])).toEqual([]);
});

test('breaking changes affect somebody', () => {
  for (const [code, { severity, affects, explain }] of Object.entries(changeCodes)) {
    if (severity === 'breaking') expect(affects, code).not.toEqual([]);
    expect(explain, code).toMatch(/\.$/);
  }
});
