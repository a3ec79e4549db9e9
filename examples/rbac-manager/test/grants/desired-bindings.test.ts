import type { KubeObject } from 'opsdk';
import { expect, it } from 'vitest';
import type { RBACBinding, RBACDefinition } from '../../src/api/access/v1alpha1/rbac-definition.ts';
import { desiredBindings } from '../../src/grants/desired-bindings.ts';

const namespaces = [
  namespace('shop', { team: 'web' }),
  namespace('site', { team: 'web' }),
  namespace('lab'),
  namespace('old', { team: 'web' }, '2026-01-01T00:00:00Z'),
];
const developers: RBACBinding['subjects'] = [{ kind: 'Group', name: 'developers' }];

function namespace(name: string, labels = {}, deletionTimestamp?: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, deletionTimestamp } };
}

function definition(name: string, ...rbacBindings: readonly RBACBinding[]): RBACDefinition {
  return {
    apiVersion: 'access.example.com/v1alpha1',
    kind: 'RBACDefinition',
    metadata: { name },
    spec: { rbacBindings: [...rbacBindings] },
  };
}

function places(each: RBACDefinition): readonly string[] {
  return desiredBindings(each, namespaces).bindings.map(
    ({ namespace = '*', roleRef }) => `${namespace} ${roleRef.kind} ${roleRef.name}`,
  );
}

it('grants a role in a namespace by its name', () => {
  const roleBindings = [{ role: 'deployer', namespace: 'lab' }];
  expect(places(definition('a', { name: 'b', subjects: developers, roleBindings }))).toEqual([
    'lab Role deployer',
  ]);
});

it('grants a ClusterRole in all namespaces of a label, but for those under deletion', () => {
  const roleBindings = [{ clusterRole: 'view', namespaceSelector: { matchLabels: { team: 'web' } } }];
  expect(places(definition('a', { name: 'b', subjects: developers, roleBindings }))).toEqual([
    'shop ClusterRole view',
    'site ClusterRole view',
  ]);
});

it('grants a ClusterRole everywhere', () => {
  const clusterRoleBindings = [{ clusterRole: 'view' }];
  expect(places(definition('a', { name: 'b', subjects: developers, clusterRoleBindings }))).toEqual([
    '* ClusterRole view',
  ]);
});

it('names namespaces that do not exist', () => {
  const roleBindings = [
    { role: 'deployer', namespace: 'nowhere' },
    { role: 'deployer', namespace: 'old' },
  ];
  const each = definition('a', { name: 'b', subjects: developers, roleBindings });
  expect(desiredBindings(each, namespaces)).toEqual({ bindings: [], missing: ['nowhere', 'old'] });
});

it('grants once what is asked for twice', () => {
  const roleBindings = [
    { clusterRole: 'view', namespace: 'shop' },
    { clusterRole: 'view', namespaceSelector: { matchLabels: { team: 'web' } } },
  ];
  expect(places(definition('a', { name: 'b', subjects: developers, roleBindings }))).toHaveLength(2);
});

it('gives users and groups their API group, and ServiceAccounts their namespace', () => {
  const subjects: RBACBinding['subjects'] = [
    { kind: 'User', name: 'ada' },
    { kind: 'ServiceAccount', name: 'ci', namespace: 'lab' },
  ];
  const each = definition('a', { name: 'b', subjects, clusterRoleBindings: [{ clusterRole: 'view' }] });
  expect(desiredBindings(each, namespaces).bindings[0]?.subjects).toEqual([
    { kind: 'User', name: 'ada', apiGroup: 'rbac.authorization.k8s.io' },
    { kind: 'ServiceAccount', name: 'ci', namespace: 'lab' },
  ]);
});

it('names the bindings of two definitions differently, wherever their names are joined', () => {
  const clusterRoleBindings = [{ clusterRole: 'view' }];
  const first = definition('a', { name: 'b-c', subjects: developers, clusterRoleBindings });
  const second = definition('a-b', { name: 'c', subjects: developers, clusterRoleBindings });
  const nameOf = (each: RBACDefinition) => desiredBindings(each, []).bindings[0]?.name;
  expect(nameOf(first)).not.toBe(nameOf(second));
});

it('names a binding differently once its role is another', () => {
  const of = (clusterRole: string) =>
    desiredBindings(
      definition('a', { name: 'b', subjects: developers, clusterRoleBindings: [{ clusterRole }] }),
      [],
    ).bindings[0]?.name;
  expect(of('view')).not.toBe(of('edit'));
});
