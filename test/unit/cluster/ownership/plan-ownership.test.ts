import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '../../../../src/sdk/api/index.ts';
import { FieldSet, fieldSetFault } from '../../../../src/kubernetes/objects/index.ts';
import {
  leftOwners,
  ownershipFault,
  planOwnership,
} from '../../../../src/cluster/ownership/plan-ownership.ts';

const entry = (
  manager: string,
  operation: 'Apply' | 'Update',
  fieldsV1: object,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: fieldsV1 as Record<string, unknown>,
  ...more,
});
const to = { object: 'op/web', status: 'op/web' };
const data = (...keys: readonly string[]): object => ({
  'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])),
});

describe('the plan of an object', () => {
  test('makes the newest former entry that of the manager that has applied nothing', () => {
    const old = entry('go', 'Update', data('a'), { apiVersion: 'v1beta1', time: '2026-01-01T00:00:00Z' });
    const newer = entry('go', 'Update', data('b'), { time: '2026-02-01T00:00:00Z' });
    expect(planOwnership([old, newer], ['go'], to)).toEqual({
      managedFields: [entry('op/web', 'Apply', data('b'), { time: newer.time! })],
      moves: [
        {
          from: ['go'],
          to: 'op/web',
          fields: ['.data.b'],
          removable: ['.data.b'],
          ownerless: ['.data.a'],
          ownerlessVersions: ['v1beta1'],
        },
      ],
    });
  });

  test('unites several managers with what is applied, and passes over what others own', () => {
    const ours = entry('op/web', 'Apply', data('a'));
    const theirs = entry('helm', 'Update', data('c'));
    const plan = planOwnership(
      [ours, entry('go', 'Update', data('a', 'b')), entry('old', 'Update', data('c', 'd')), theirs],
      ['go', 'old'],
      to,
    );
    expect(plan.managedFields).toEqual([entry('op/web', 'Apply', data('a', 'b', 'c', 'd')), theirs]);
    expect(plan.moves).toEqual([
      {
        from: ['go', 'old'],
        to: 'op/web',
        fields: ['.data.a', '.data.b', '.data.c', '.data.d'],
        removable: ['.data.b', '.data.d'],
        ownerless: [],
        ownerlessVersions: [],
      },
    ]);
    expect(planOwnership(plan.managedFields, ['go', 'old'], to).moves).toEqual([]);
  });

  test('moves the status to an entry of its own, and no other subresource', () => {
    const status = entry('go', 'Update', { 'f:status': { 'f:ready': {} } }, { subresource: 'status' });
    const scale = entry('go', 'Update', { 'f:spec': { 'f:replicas': {} } }, { subresource: 'scale' });
    const plan = planOwnership([status, scale], ['go'], { object: 'op/a', status: 'op/b' });
    expect(plan.managedFields).toEqual([{ ...status, manager: 'op/b', operation: 'Apply' }, scale]);
    expect(plan.moves).toMatchObject([{ subresource: 'status', to: 'op/b', removable: ['.status.ready'] }]);
  });

  test('merges both operations of one manager', () => {
    const applied = entry('op/web', 'Apply', data('a'));
    const updated = entry('op/web', 'Update', data('b'));
    const plan = planOwnership([applied, updated], ['op/web'], to);
    expect(plan.managedFields).toEqual([entry('op/web', 'Apply', data('a', 'b'))]);
    expect(planOwnership([applied], ['op/web'], to)).toEqual({ managedFields: [applied], moves: [] });
  });

  test('leaves finalizers with their manager', () => {
    const guard = { 'f:finalizers': { '.': {}, 'v:"example.com/guard"': {} } };
    const own = entry('go', 'Update', { 'f:metadata': { ...guard, 'f:labels': { 'f:app': {} } } });
    const plan = planOwnership([own], ['go'], to);
    expect(plan.managedFields).toEqual([
      entry('op/web', 'Apply', { 'f:metadata': { 'f:labels': { 'f:app': {} } } }),
      entry('go', 'Update', { 'f:metadata': guard }),
    ]);
    expect(plan.moves).toMatchObject([{ fields: ['.metadata.labels.app'] }]);
    expect(planOwnership(plan.managedFields, ['go'], to).moves).toEqual([]);
  });

  test('keeps a list item of which somebody else owns a field', () => {
    const port = (...names: readonly string[]): object => ({
      'f:spec': {
        'f:ports': {
          '.': {},
          'k:{"port":80}': { '.': {}, ...Object.fromEntries(names.map((name) => [`f:${name}`, {}])) },
        },
      },
    });
    const plan = planOwnership(
      [entry('go', 'Update', port('port', 'name')), entry('mesh', 'Update', port('port'))],
      ['go'],
      to,
    );
    expect(plan.moves).toMatchObject([
      {
        fields: ['.spec.ports[port=80].name', '.spec.ports[port=80].port'],
        removable: ['.spec.ports[port=80].name'],
      },
    ]);
  });

  test('loses no field of any entry, and is the same the second time', () => {
    const key = fc.constantFrom('a', 'b', 'c');
    const path = fc.array(
      fc.oneof(
        key.map((name) => `f:${name}`),
        key.map((name) => `k:{"name":"${name}"}`),
        key.map((name) => `v:"${name}"`),
      ),
      { minLength: 1, maxLength: 3 },
    );
    const fields = fc
      .array(path, { minLength: 1, maxLength: 6 })
      .map((paths) => FieldSet.of(...paths).toJson());
    const arbitraryEntry = fc
      .tuple(
        fc.constantFrom('go', 'op/web', 'other'),
        fc.constantFrom('Apply' as const, 'Update' as const),
        fields,
        fc.constantFrom('', 'status'),
      )
      .map(([manager, operation, fieldsV1, subresource]) =>
        entry(manager, operation, fieldsV1, subresource === '' ? {} : { subresource }),
      );
    const entries = fc.uniqueArray(arbitraryEntry, {
      selector: ({ manager, operation, subresource }) => `${manager} ${operation} ${subresource}`,
    });
    const union = (all: readonly ManagedFieldsEntry[]): object =>
      all.reduce((set, each) => set.union(FieldSet.fromJson(each.fieldsV1)), new FieldSet()).toJson();
    fc.assert(
      fc.property(entries, (before) => {
        expect(ownershipFault(before)).toBeUndefined();
        const { managedFields, moves } = planOwnership(before, ['go'], to);
        expect(union(managedFields)).toEqual(union(before));
        expect(
          managedFields.filter(({ manager, operation }) => manager === 'go' && operation === 'Update'),
        ).toEqual([]);
        expect(planOwnership(managedFields, ['go'], to)).toEqual({ managedFields, moves: [] });
        const isOthers = ({ manager, operation }: ManagedFieldsEntry): boolean =>
          !(manager === 'go' && operation === 'Update') && !(manager === 'op/web' && operation === 'Apply');
        expect(managedFields.filter(isOthers)).toEqual(before.filter(isOthers));
        expect(
          moves.flatMap(({ removable, fields: all }) => removable.filter((each) => !all.includes(each))),
        ).toEqual([]);
      }),
    );
  });
});

test('what was applied, or written through another subresource, is left', () => {
  const entries = [
    entry('go', 'Apply', data('a')),
    entry('go', 'Update', data('b')),
    entry('go', 'Update', {}, { subresource: 'scale' }),
    entry('op/web', 'Apply', data('c')),
    entry('op/web', 'Apply', {}, { subresource: 'status' }),
    entry('other', 'Apply', data('d')),
  ];
  expect(leftOwners(entries, ['go', 'op/web'], to).map(({ text }) => text)).toEqual([
    'go by apply',
    'go through scale',
  ]);
});

describe('an unknown form of managed fields', () => {
  test.each([
    [{ 'f:a': { 'x:b': {} } }, 'unknown step "x:b"'],
    [{ 'f:a': 1 }, 'expected an object, got 1'],
    [{ 'f:a': { '.': { 'f:b': {} } } }, 'expected {} at ".", got {"f:b":{}}'],
    [{ 'k:{"a"': {} }, 'unknown step "k:{\\"a\\""'],
    [{ 'k:1': {} }, 'unknown step "k:1"'],
    [{ 'i:x': {} }, 'unknown step "i:x"'],
    ['text', 'expected an object, got "text"'],
  ])('%j is named', (fields, fault) => {
    expect(fieldSetFault(fields)).toBe(fault);
  });

  test('stops the migration of the object', () => {
    expect(ownershipFault([entry('go', 'Update', data('a'))])).toBeUndefined();
    expect(ownershipFault([entry('go', 'Update', data('a'), { fieldsType: 'FieldsV2' })])).toBe(
      'managedFields of "go": expected the fieldsType FieldsV1, got "FieldsV2"',
    );
    expect(ownershipFault([{ ...entry('go', 'Update', {}), operation: 'Merge' }])).toBe(
      'managedFields of "go": expected the operation Apply or Update, got "Merge"',
    );
    expect(ownershipFault([entry('go', 'Update', { 'f:a': { y: {} } })])).toBe(
      'managedFields of "go": fieldsV1: unknown step "y"',
    );
  });
});

test('entries that are written in one version unite, and none is ownerless', () => {
  const entries = [
    entry('op/web', 'Apply', data('a'), { apiVersion: 'v1alpha1' }),
    entry('go', 'Update', data('b'), { apiVersion: 'v1beta1' }),
    entry('other', 'Update', data('c'), { apiVersion: 'v1beta1' }),
  ];
  const { managedFields, moves } = planOwnership(entries, ['go'], to, () => 'v1');
  expect(managedFields).toEqual([entry('op/web', 'Apply', data('a', 'b')), entries[2]]);
  expect(moves).toMatchObject([{ fields: ['.data.b'], ownerless: [] }]);
});

test('without a manager for the object itself, its status moves alone', () => {
  const spec = entry('go', 'Update', { 'f:spec': { 'f:size': {} } });
  const status = entry('go', 'Update', { 'f:status': { 'f:ready': {} } }, { subresource: 'status' });
  const plan = planOwnership([spec, status], ['go'], { object: undefined, status: 'op/web' });
  expect(plan.moves.map(({ subresource }) => subresource)).toEqual(['status']);
  expect(plan.managedFields).toEqual([spec, { ...status, manager: 'op/web', operation: 'Apply' }]);
});
