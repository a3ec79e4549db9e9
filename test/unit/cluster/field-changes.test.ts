import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareObjects,
  changedField,
  fieldChanges,
  type FieldChange,
  type FieldStep,
} from '../../../src/cluster/changes/compare-objects.ts';
import { isJsonMap } from '../../../src/base/util/json-map.ts';

const lines = (before: unknown, after: unknown): readonly string[] =>
  fieldChanges(before, after).map(
    ({ steps, ...values }) => `${changedField({ steps })} ${JSON.stringify(values)}`,
  );

describe('the fields that differ', () => {
  test.each<[string, unknown, unknown, readonly string[]]>([
    ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    [
      'a value, one that comes, one that goes',
      { spec: { size: 1, old: true } },
      { spec: { size: 2, fresh: null } },
      ['.spec.size {"before":1,"after":2}', '.spec.old {"before":true}', '.spec.fresh {"after":null}'],
    ],
    [
      'names that are no plain words',
      { metadata: { labels: { 'example.com/tier': 'a' } } },
      { metadata: { labels: { 'example.com/tier': 'b' } } },
      ['.metadata.labels["example.com/tier"] {"before":"a","after":"b"}'],
    ],
    ['a list of values, as a whole', { a: [1, 2] }, { a: [2, 1] }, ['.a {"before":[1,2],"after":[2,1]}']],
    [
      'an item that its name finds',
      { containers: [{ name: 'a', image: '1' }, { name: 'b' }] },
      { containers: [{ name: 'a', image: '2' }, { name: 'c' }] },
      [
        '.containers[name="a"].image {"before":"1","after":"2"}',
        '.containers[name="b"] {"before":{"name":"b"}}',
        '.containers[name="c"] {"after":{"name":"c"}}',
      ],
    ],
    [
      'an item in the middle: the order may count',
      { env: [{ name: 'a' }, { name: 'b' }] },
      { env: [{ name: 'a' }, { name: 'x' }, { name: 'b' }] },
      ['.env {"before":[{"name":"a"},{"name":"b"}],"after":[{"name":"a"},{"name":"x"},{"name":"b"}]}'],
    ],
    [
      'items without names, by their indices',
      { rules: [{ verbs: ['get'] }, { verbs: ['list'] }] },
      { rules: [{ verbs: ['get'] }, { verbs: ['watch'] }] },
      ['.rules[1].verbs {"before":["list"],"after":["watch"]}'],
    ],
    ['fields that every object has', {}, { toString: 1 }, ['.toString {"after":1}']],
  ])('%s', (_, before, after, expected) => {
    expect(lines(before, after)).toEqual(expected);
  });

  test('make of the one what the other is', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, 1, '', 'a', 'b'),
        tie('map'),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(tie('item'), { maxLength: 4 }),
      ),
      map: fc.dictionary(fc.constantFrom('a', 'b', 'name', '__proto__', 'toString'), tie('value'), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
      item: fc
        .tuple(fc.constantFrom('a', 'b', 'c'), tie('map'))
        .map(([name, map]) => ({ ...(map as object), name })),
    })).map;
    fc.assert(
      fc.property(json, json, (before, after) => {
        const changes = fieldChanges(before, after);
        expect(changes.reduce<unknown>(withChange, structuredClone(before))).toEqual(after);
        expect(fieldChanges(after, before).length > 0).toBe(changes.length > 0);
      }),
      { numRuns: 500 },
    );
  });
});

/** What a reader of the changes makes of the former state. */
function withChange(value: unknown, { steps, ...change }: FieldChange): unknown {
  const [step, ...below] = steps;
  if (step === undefined) return change.after;
  const inside = withChange(memberOf(value, step), { steps: below, ...change });
  if (typeof step === 'string') {
    const others = Object.entries(value as object).filter(([name]) => name !== step);
    return Object.fromEntries(inside === undefined ? others : [...others, [step, inside]]);
  }
  const items = [...(value as readonly unknown[])];
  const index = typeof step === 'number' ? step : items.findIndex((item) => isCalled(item, step.name));
  if (index < 0) return [...items, inside];
  if (inside === undefined) items.splice(index, 1);
  else items[index] = inside;
  return items;
}

function memberOf(value: unknown, step: FieldStep): unknown {
  if (typeof step === 'string')
    return isJsonMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  const items = value as readonly unknown[];
  return typeof step === 'number' ? items[step] : items.find((item) => isCalled(item, step.name));
}

const isCalled = (item: unknown, name: string): boolean => isJsonMap(item) && item['name'] === name;

describe('what is compared of objects', () => {
  const secret = (data: object, more: object = {}): { readonly metadata: { readonly name: string } } => ({
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: { name: 's', ...more },
    ...{ data },
  });

  test('is not what the API server keeps account of, nor the status', () => {
    const object = (number: number) => ({
      metadata: {
        name: 'a',
        resourceVersion: `${number}`,
        generation: number,
        uid: `${number}`,
        creationTimestamp: '2026-01-01T00:00:00Z',
        managedFields: [{ manager: `${number}` }],
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `${number}` },
      },
      status: { number },
    });
    expect(compareObjects(object(1), object(2))).toEqual({
      before: { metadata: { name: 'a' } },
      after: { metadata: { name: 'a' } },
      changes: [],
    });
  });

  test('is never a value of a Secret', () => {
    const before = secret({ same: 'QQ==', other: 'Qg==', gone: 'Qw==' });
    const after = secret({ same: 'QQ==', other: 'RA==', fresh: 'RQ==' });
    expect(compareObjects(before, after)).toEqual({
      before: secret({ same: '***', other: '*** (before)', gone: '***' }),
      after: secret({ same: '***', other: '*** (after)', fresh: '***' }),
      changes: [
        { path: '.data.other', before: '*** (before)', after: '*** (after)' },
        { path: '.data.gone', before: '***' },
        { path: '.data.fresh', after: '***' },
      ],
    });
    expect(
      compareObjects(undefined, { ...secret({ a: 'QQ==' }), ...{ stringData: { b: 'x' } } }).after,
    ).toEqual({ ...secret({ a: '***' }), stringData: { b: '***' } });
    const odd = { ...secret({}), ...{ data: 'plain' } };
    expect(compareObjects(odd, secret({ a: 'QQ==' })).before).toMatchObject({ data: '*** (before)' });
  });

  test('hides no more of a Secret than whether its values are equal, whatever they are', () => {
    const data = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom('QQ==', 'Qg=='), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(data, data, (one, other) => {
        const { changes, before, after } = compareObjects(secret(one), secret(other));
        expect(changes.length).toBe(fieldChanges(one, other).length);
        expect(JSON.stringify([changes, before, after])).not.toMatch(/Q[Qg]==/);
      }),
    );
  });

  test('is all of other kinds that have data', () => {
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 's' }, data: { a: '1' } };
    expect(compareObjects(undefined, settings).after).toEqual(settings);
  });
});
