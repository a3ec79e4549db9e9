import type { AnyStep } from '../case.ts';
import { casesOfKinds, labels, type Requests } from './requests.ts';
const rbac = (plural: string) => `/apis/rbac.authorization.k8s.io/v1/${plural}`;
const inNamespace = 'namespaces/$NS/';
const rbacVersion = 'rbac.authorization.k8s.io/v1';
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const account = { kind: 'ServiceAccount', name: 's', namespace: 'n' };

const role = (r: Requests, isNamespaced: boolean): Readonly<Record<string, readonly AnyStep[]>> => ({
  'no verbs': [r.create(r.object({ rules: [{ apiGroups: [''], resources: ['pods'] }] }))],
  'no resources': [r.create(r.object({ rules: [{ verbs: ['get'] }] }))],
  addresses: [r.create(r.object({ rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }] }))],
  'addresses and resources': [r.create(r.object({ rules: [{ ...rules[0], nonResourceURLs: ['/x'] }] }))],
  'no rules': [r.create(r.object({ rules: undefined })), r.merge({ rules: [] })],
  'other rules': [r.create(), r.merge({ rules: [{ ...rules[0], verbs: ['list'] }] })],
  'invalid rules later': [r.create(), r.merge({ rules: [{}] })],
  'names of objects': [r.create(r.object({ rules: [{ ...rules[0], resourceNames: ['a'] }] }))],
  'a name with a colon': [r.create(r.object({}, { name: isNamespaced ? 'a:b' : 'a:$NS' }))],
  'applied with other rules': [r.apply(), r.apply(r.object({ rules: [] }))],
  ...(isNamespaced
    ? {}
    : {
        aggregated: [
          r.create(r.object({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] } })),
        ],
        'aggregated of nothing': [r.create(r.object({ aggregationRule: {} }))],
      }),
});
const binding = (r: Requests): Readonly<Record<string, readonly AnyStep[]>> => ({
  'subjects of each kind': [
    r.create(r.object({ subjects: [account, { kind: 'User', name: 'u' }, { kind: 'Group', name: 'g' }] })),
  ],
  'an unknown subject': [r.create(r.object({ subjects: [{ kind: 'Robot', name: 'u' }] }))],
  'a subject without a name': [r.create(r.object({ subjects: [{ kind: 'User' }] }))],
  'an account without a namespace': [
    r.create(r.object({ subjects: [{ kind: 'ServiceAccount', name: 's' }] })),
  ],
  'an account of a group': [r.create(r.object({ subjects: [{ ...account, apiGroup: 'x' }] }))],
  'an invalid account': [r.create(r.object({ subjects: [{ ...account, name: 'A_B' }] }))],
  'an unknown kind of role': [
    r.create(r.object({ roleRef: { kind: 'Job', name: 'x', apiGroup: 'rbac.authorization.k8s.io' } })),
  ],
  'a role without a name': [r.create(r.object({ roleRef: { kind: 'ClusterRole' } }))],
  'another role': [r.create(), r.merge({ roleRef: { name: 'other' } })],
  'other subjects': [r.create(), r.merge({ subjects: [{ kind: 'User', name: 'v' }] })],
  'no subjects': [r.create(r.object({ subjects: undefined }))],
});

export const rbacKinds = casesOfKinds({
  Role: [
    { path: rbac(`${inNamespace}roles`), apiVersion: rbacVersion, kind: 'Role', valid: { rules } },
    (r) => role(r, true),
  ],
  ClusterRole: [
    { path: rbac('clusterroles'), apiVersion: rbacVersion, kind: 'ClusterRole', valid: { rules } },
    (r) => role(r, false),
  ],
  RoleBinding: [
    {
      path: rbac(`${inNamespace}rolebindings`),
      apiVersion: rbacVersion,
      kind: 'RoleBinding',
      valid: { roleRef: { kind: 'ClusterRole', name: 'view' }, subjects: [account] },
    },
    binding,
  ],
  ClusterRoleBinding: [
    {
      path: rbac('clusterrolebindings'),
      apiVersion: rbacVersion,
      kind: 'ClusterRoleBinding',
      valid: { roleRef: { kind: 'ClusterRole', name: 'view' }, subjects: [account] },
    },
    binding,
  ],
});
