import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject, Resource } from '../../../src/sdk/api/index.ts';
import { applySetId, partOfLabel, toolingName } from '../../../src/cluster/inventory/apply-set.ts';
import {
  contentsAnnotations,
  contentsWithout,
  groupKindText,
  readContents,
  unionOf,
  type ApplySetContents,
  asMembers,
  keptInSet,
} from '../../../src/cluster/inventory/contents.ts';
import { findParent } from '../../../src/cluster/inventory/inventory.ts';
import { leftoversOf } from '../../../src/cluster/inventory/leftovers.ts';
import type { Member } from '../../../src/cluster/inventory/members.ts';
import type { ClusterObject } from '../../../src/cluster/objects/cluster-object.ts';
import { deployment, manifest } from '../../control-plane/cluster/helpers.ts';

describe('the identity of an ApplySet', () => {
  test('is that of the specification', () => {
    // Source: kubectl `pkg/cmd/apply/apply_test.go`.
    expect(applySetId({ name: 'my-set', namespace: 'test' })).toBe(
      'applyset-0eFHV8ySqp7XoShsGvyWFQD3s96yqwHmzc4e0HR1dsY-v1',
    );
  });

  test('a tool is known without its version', () => {
    expect(['op-sdk/1.2.3', 'example.com/tool/v1', 'bare', ''].map(toolingName)).toEqual([
      'op-sdk',
      'example.com/tool',
      'bare',
      '',
    ]);
  });
});

describe('annotations of a parent', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}(\.[a-z]{1,3})?$/), { maxLength: 5 });
  const contents: fc.Arbitrary<ApplySetContents> = fc
    .tuple(names, names)
    .map(([kinds, namespaces]) => ({ kinds: new Set(kinds), namespaces: new Set(namespaces) }));
  const text = (each: ApplySetContents): unknown => contentsAnnotations(each);

  test('are read as they were written', () => {
    fc.assert(
      fc.property(contents, (each) => {
        expect(readContents(contentsAnnotations(each), 'PARENT')).toEqual(each);
      }),
    );
  });

  test('a union has everything of both, in any order', () => {
    fc.assert(
      fc.property(contents, contents, (a, b) => {
        expect(text(unionOf(a, b))).toEqual(text(unionOf(b, a)));
        expect(text(unionOf(unionOf(a, b), b))).toEqual(text(unionOf(a, b)));
        expect(contentsWithout(a, unionOf(a, b))).toEqual({ kinds: new Set(), namespaces: new Set() });
        expect(text(unionOf(contentsWithout(a, b), b))).toEqual(text(unionOf(a, b)));
      }),
    );
  });

  test('are sorted, empty where there is nothing, and without the namespace of the parent', () => {
    expect(contentsAnnotations({ kinds: new Set(['b', 'a']), namespaces: new Set() })).toEqual({
      'applyset.kubernetes.io/contains-group-kinds': 'a,b',
      'applyset.kubernetes.io/additional-namespaces': '',
    });
    const annotations = { 'applyset.kubernetes.io/additional-namespaces': 'a,own' };
    expect(readContents(annotations, 'own')).toEqual({ kinds: new Set(), namespaces: new Set(['a']) });
    expect(groupKindText({ group: '', kind: 'Secret' })).toBe('Secret');
    expect(groupKindText({ group: 'apps', kind: 'Deployment' })).toBe('Deployment.apps');
  });
});

describe('the Secret of an operator', () => {
  const parentOf = (...deployments: (readonly [name: string, namespace: string])[]): string | undefined => {
    const parent = findParent(
      manifest(...deployments.map(([name, namespace]) => deployment(name, namespace))),
      'default',
    );
    return parent && `${parent.namespace}/${parent.name}`;
  };

  test('has the name and the namespace of its Deployment', () => {
    expect(parentOf(['web-controller-manager', 'system'])).toBe('system/web-applyset');
    expect(parentOf(['controller-manager', 'system'])).toBe('system/applyset');
    expect(parentOf(['web', ''])).toBe('default/web.applyset');
    // Another operator than web-controller-manager in the same namespace.
    expect(parentOf(['web-controller-managers', 's'])).toBe('s/web-controller-managers.applyset');
    expect(parentOf(['webcontroller-manager', 's'])).toBe('s/webcontroller-manager.applyset');
  });

  test('is unknown without one, and with several', () => {
    expect(parentOf()).toBeUndefined();
    expect(parentOf(['a', 's'], ['b', 's'])).toBeUndefined();
    expect(parentOf(['a-controller-manager', 's'], ['b-controller-manager', 's'])).toBeUndefined();
    expect(parentOf(['database', 's'], ['web-controller-manager', 's'])).toBe('s/web-applyset');
  });
});

describe('members', () => {
  test('have a label of their own; their Pods and selectors have not', () => {
    const [member] = asMembers(manifest(deployment('web', 's')), 'id');
    expect(member?.object.metadata.labels).toEqual({ [partOfLabel]: 'id' });
    expect(member?.object['spec']).toEqual((deployment('web', 's') as { spec: unknown }).spec);
  });

  test('stay members by an apply of the same manager that says nothing of it', () => {
    const given = {
      object: { metadata: { name: 'web', labels: { app: 'web' } } },
    } as unknown as ClusterObject;
    const live = (manager: string, fields: object): KubeObject =>
      ({
        metadata: {
          name: 'web',
          labels: { [partOfLabel]: 'id' },
          managedFields: [
            { manager, operation: 'Apply', fieldsV1: { 'f:metadata': { 'f:labels': fields } } },
          ],
        },
      }) as unknown as KubeObject;
    const own = live('op-sdk', { [`f:${partOfLabel}`]: {} });
    expect(keptInSet(given, own, 'op-sdk').object.metadata.labels).toEqual({
      app: 'web',
      [partOfLabel]: 'id',
    });
    expect(keptInSet(given, own, 'other')).toBe(given);
    expect(keptInSet(given, live('op-sdk', {}), 'op-sdk')).toBe(given);
    expect(keptInSet(given, undefined, 'op-sdk')).toBe(given);
  });

  const parent = { name: 'applyset', namespace: 's' };
  const member = (group: string, kind: string, metadata: object = {}): Member => {
    const live = { apiVersion: 'v1', kind, metadata: { name: 'x', uid: 'u', namespace: 's', ...metadata } };
    const resource = { group, kind } as Resource;
    return { live, resource, key: live.metadata, title: kind } as unknown as Member;
  };

  test('have left the manifests if neither their name nor their uid is there', () => {
    const role = member('apps', 'Role');
    const others = { object: member('other', 'Role'), live: undefined };
    expect(leftoversOf([role], parent, [others]).prunable).toEqual([role]);
    expect(leftoversOf([role], parent, [{ object: role, live: undefined }]).prunable).toEqual([]);
    expect(leftoversOf([role], parent, [{ ...others, live: role.live }]).prunable).toEqual([]);
  });

  test.each<[string, Member]>([
    ['the parent', member('', 'Secret', { name: 'applyset' })],
    ['what is being deleted', member('', 'ConfigMap', { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['what a controller owns', member('', 'ConfigMap', { ownerReferences: [{ controller: true }] })],
    [
      'copies of labels',
      member('', 'Endpoints', { labels: { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } }),
    ],
  ])('%s is never one of them', (_what, each) => {
    expect(leftoversOf([each], parent, [])).toEqual({ prunable: [], kept: [] });
  });

  test('namespaces, definitions and claims are kept; kinds of others with the same name are not', () => {
    const kept = [
      member('', 'Namespace'),
      member('apiextensions.k8s.io', 'CustomResourceDefinition'),
      member('', 'PersistentVolumeClaim'),
    ];
    const custom = member('example.com', 'Namespace');
    expect(leftoversOf([...kept, custom], parent, [])).toEqual({ prunable: [custom], kept });
  });
});
