// Which rules a Role can give: those for resources of a namespace.
import { expect, it } from 'vitest';
import { scopesOf, withScopes } from '../../../../src/compiler/manifests/collect-rules.ts';
import {
  roleDocuments,
  withClusterRoleBinding,
} from '../../../../src/compiler/manifests/rbac/role-document.ts';
import type { NeededRule } from '../../../../src/compiler/manifests/rbac/needed-rule.ts';

const byHand = (rule: Omit<NeededRule, 'places' | 'origin' | 'by'>): NeededRule => ({
  ...rule,
  places: [],
  origin: 'explicit',
  by: 'rbac',
});

it('divides the rules between a Role and a ClusterRole with its binding', () => {
  const rules = [
    byHand({ apiGroups: ['', 'a.io'], resources: ['pods', 'nodes/status', 'zones'], verbs: ['get'] }),
    byHand({ nonResourceURLs: ['/metrics'], verbs: ['get'] }),
  ];
  const scopeOf = scopesOf([{ group: 'a.io', plural: 'zones', namespaced: false }], []);
  const documents = roleDocuments(withScopes(rules, scopeOf), true);
  const [ofCluster, role, binding, ...more] = withClusterRoleBinding(documents);
  const resources = (document: unknown) =>
    (document as { rules: { apiGroups?: string[]; resources?: string[] }[] }).rules.map(
      ({ apiGroups = [], resources: names = [] }) => `${apiGroups.join()}/${names.join()}`,
    );
  expect(role).toMatchObject({ kind: 'Role', metadata: { name: 'manager-role' } });
  expect(resources(role)).toEqual(['/pods', '/zones', 'a.io/nodes/status', 'a.io/pods']);
  expect(ofCluster).toMatchObject({ kind: 'ClusterRole', metadata: { name: 'manager-role' } });
  expect(resources(ofCluster)).toEqual(['/', '/nodes/status', 'a.io/zones']);
  expect(binding).toMatchObject({
    kind: 'ClusterRoleBinding',
    roleRef: { kind: 'ClusterRole', name: 'manager-role' },
  });
  expect(more).toEqual([]);
});

it('makes a Role alone where that is enough', () => {
  const rules = withScopes(
    [byHand({ apiGroups: [''], resources: ['pods'], verbs: ['get'] })],
    () => 'namespaced',
  );
  const [role, ...more] = withClusterRoleBinding(roleDocuments(rules, true));
  expect(role).toMatchObject({ kind: 'Role' });
  expect(more).toEqual([]);
});

it.each([
  ['*', '*', 'both'],
  ['', '*', 'both'],
  ['', '*/status', 'both'],
  ['apps', '*', 'namespaced'],
  ['apiextensions.k8s.io', '*', 'cluster'],
  ['other.io', '*', 'both'],
  ['foreign.io', '*', 'both'],
  ['a.io', '*', 'cluster'],
  ['*', 'nodes', 'cluster'],
  ['*', 'pods/log', 'namespaced'],
  ['*', 'zones', 'cluster'],
  ['', 'users', 'cluster'],
  ['foreign.io', 'things', 'namespaced'],
  ['foreign.io', 'others', 'unknown'],
  ['other.io', 'things', 'unknown'],
])('the objects of group %j, resource %j: %s', (group, resource, scope) => {
  const scopeOf = scopesOf(
    [{ group: 'a.io', plural: 'zones', namespaced: false }],
    [{ group: 'foreign.io', plural: 'things', namespaced: true }],
  );
  expect(scopeOf(group, resource.split('/')[0] ?? '')).toBe(scope);
});

it('gives both roles a `*` that means resources of both kinds', () => {
  const rule = byHand({ apiGroups: ['*'], resources: ['*'], verbs: ['get'] });
  const everything = { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get'] }] };
  const rules = withScopes([rule], scopesOf([], []));
  expect(roleDocuments(rules, true)).toMatchObject([
    { kind: 'ClusterRole', ...everything },
    { kind: 'Role', ...everything },
  ]);
  expect(roleDocuments(rules, false)).toMatchObject([{ kind: 'ClusterRole', ...everything }]);
});
