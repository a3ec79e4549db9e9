import { describe, expect, test } from 'vitest';
import type { KubeObject, ManagedFieldsEntry } from '../../../src/sdk/api/index.ts';
import { clientSideManagers } from '../../../src/cluster/apply/client-side-apply.ts';
import { withFieldsTakenOver } from '../../../src/cluster/ownership/take-over-fields.ts';
import { FieldSet, withoutFields } from '../../../src/kubernetes/objects/index.ts';

const unitedFields = (one: object, other: object): object =>
  FieldSet.fromJson(one).union(FieldSet.fromJson(other)).toJson();

describe('sets of fields', () => {
  test('are united, and what is owned itself stays so', () => {
    expect(unitedFields({}, { 'f:a': {} })).toEqual({ 'f:a': {} });
    expect(unitedFields({ 'f:a': {} }, { 'f:a': { 'f:b': {} } })).toEqual({
      'f:a': { '.': {}, 'f:b': {} },
    });
    expect(
      unitedFields(
        { 'f:list': { 'k:{"name":"x"}': { '.': {}, 'f:name': {} } } },
        { 'f:list': { 'k:{"name":"x"}': { 'f:image': {} }, 'v:"y"': {} } },
      ),
    ).toEqual({
      'f:list': { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:image': {} }, 'v:"y"': {} },
    });
  });

  test('are removed from a value, but for what others have', () => {
    const value = {
      metadata: { name: 'a', labels: { ours: '1', theirs: '1' } },
      spec: {
        replicas: 3,
        strategy: { type: 'Recreate' },
        containers: [
          { name: 'x', image: 'x:1', pullPolicy: 'Always' },
          { name: 'y', image: 'y:1' },
        ],
        finalizers: ['a', 'b'],
      },
    };
    const removed = {
      'f:metadata': { 'f:labels': { '.': {}, 'f:ours': {}, 'f:theirs': {} } },
      'f:spec': {
        'f:replicas': {},
        'f:strategy': { 'f:type': {} },
        'f:containers': {
          'k:{"name":"x"}': { '.': {}, 'f:image': {}, 'f:pullPolicy': {} },
          'k:{"name":"y"}': { '.': {}, 'f:image': {} },
          'k:{"name":"z"}': { '.': {} },
        },
        'f:finalizers': { 'v:"a"': {} },
      },
    };
    const kept = [
      { 'f:metadata': { 'f:labels': { 'f:theirs': {} } } },
      { 'f:spec': { 'f:containers': { 'k:{"name":"x"}': { '.': {}, 'f:image': {} } } } },
    ];
    const before = structuredClone(value);
    expect(
      withoutFields(
        value,
        FieldSet.fromJson(removed),
        kept.map((json) => FieldSet.fromJson(json)),
      ),
    ).toEqual({
      metadata: { name: 'a', labels: { theirs: '1' } },
      spec: { containers: [{ name: 'x', image: 'x:1' }], finalizers: ['b'] },
    });
    expect(value).toEqual(before);
  });
});

describe('fields of client-side apply', () => {
  const annotation = {
    'f:metadata': { 'f:annotations': { 'f:kubectl.kubernetes.io/last-applied-configuration': {} } },
  };
  const entry = (
    manager: string,
    operation: string,
    fieldsV1: object,
    more: object = {},
  ): ManagedFieldsEntry =>
    ({ manager, operation, apiVersion: 'v1', fieldsV1, ...more }) as ManagedFieldsEntry;
  const managersOf = (...managedFields: readonly ManagedFieldsEntry[]): readonly string[] =>
    clientSideManagers({ metadata: { name: 'a', managedFields } } as unknown as KubeObject);

  test('are those of whoever owns its annotation', () => {
    expect(managersOf()).toEqual([]);
    expect(
      managersOf(
        entry('kubectl-edit', 'Update', annotation),
        entry('kubectl-client-side-apply', 'Update', { 'f:data': {} }),
        entry('kubectl-client-side-apply', 'Update', { 'f:data': {} }, { apiVersion: 'v2' }),
        entry('kubectl', 'Apply', annotation),
        entry('kubectl-client-side-apply', 'Update', { 'f:status': {} }, { subresource: 'status' }),
        entry('helm', 'Update', { 'f:data': {} }),
      ),
    ).toEqual(['kubectl-edit', 'kubectl-client-side-apply']);
    expect(managersOf(entry('kubectl-client-side-apply', 'Update', {}, { subresource: 'status' }))).toEqual(
      [],
    );
  });

  test('become those of the manager, who may have some already', () => {
    const former = ['kubectl-client-side-apply'];
    const theirs = entry('helm', 'Update', { 'f:data': { 'f:h': {} } });
    const csa = entry('kubectl-client-side-apply', 'Update', { 'f:data': { 'f:a': {} } });
    const other = entry('kubectl-client-side-apply', 'Update', { 'f:b': {} }, { apiVersion: 'v2' });
    const status = entry('kubectl-client-side-apply', 'Update', {}, { subresource: 'status' });
    expect(withFieldsTakenOver([theirs, csa, other, status], former, 'op-sdk')).toEqual([
      theirs,
      entry('op-sdk', 'Apply', { 'f:data': { 'f:a': {} } }),
      status,
    ]);
    const ours = entry('op-sdk', 'Apply', { 'f:data': { 'f:o': {} } });
    expect(withFieldsTakenOver([csa, theirs, ours], former, 'op-sdk')).toEqual([
      theirs,
      entry('op-sdk', 'Apply', { 'f:data': { 'f:o': {}, 'f:a': {} } }),
    ]);
    expect(withFieldsTakenOver([theirs, ours], former, 'op-sdk')).toEqual([theirs, ours]);
  });
});
