import { describe, expect, test } from 'vitest';
import { accountUser, operatorAccess } from '../../../src/cluster/identity/operator-access.ts';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import type { ManifestObject } from '../../../src/kubernetes/yaml/manifest-object.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const object = (
  apiVersion: string,
  kind: string,
  name: string,
  namespace?: string,
  more: object = {},
): ManifestObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...more,
});
const deployment = (name: string, serviceAccountName?: string): ManifestObject =>
  object('apps/v1', 'Deployment', name, 'sys', { spec: { template: { spec: { serviceAccountName } } } });
const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
const binding = (
  kind: string,
  name: string,
  role: string,
  subject: object,
  namespace?: string,
): ManifestObject => {
  const [roleKind, roleName] = role.split(' ');
  return object(rbac, kind, name, namespace, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName },
    subjects: [subject],
  });
};
const account = { kind: 'ServiceAccount', name: 'manager', namespace: 'sys' };
const access = (...objects: readonly ManifestObject[]) =>
  operatorAccess(
    objects.map((each) => ({ object: each, where: { file: 'config/default' } })),
    'config/default',
  );

function refusal(...objects: readonly ManifestObject[]): string {
  try {
    access(...objects);
  } catch (error) {
    if (isOpSdkError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return '';
}

const whole = [
  object('v1', 'Namespace', 'sys'),
  object('v1', 'Namespace', 'other'),
  object('v1', 'ServiceAccount', 'manager', 'sys'),
  object('v1', 'ServiceAccount', 'operand', 'sys'),
  object('v1', 'ConfigMap', 'settings', 'sys'),
  object(rbac, 'ClusterRole', 'manager-role', undefined, { rules }),
  object(rbac, 'ClusterRole', 'people-view', undefined, { rules }),
  object(rbac, 'Role', 'leader', 'sys', { rules }),
  object(rbac, 'Role', 'leader', 'other', { rules }),
  object(rbac, 'ClusterRole', 'shared', undefined, { rules }),
  binding('ClusterRoleBinding', 'manager', 'ClusterRole manager-role', account),
  binding('RoleBinding', 'leader', 'Role leader', { kind: 'ServiceAccount', name: 'manager' }, 'sys'),
  binding(
    'RoleBinding',
    'shared',
    'ClusterRole shared',
    { kind: 'Group', name: 'system:serviceaccounts:sys' },
    'other',
  ),
  binding('ClusterRoleBinding', 'people', 'ClusterRole people-view', { kind: 'Group', name: 'people' }),
  deployment('manager', 'manager'),
];

test('the account is that of the Deployment, with its namespace, its roles and bindings, and nothing else', () => {
  const { account: found, objects, granted } = access(...whole);
  expect(accountUser(found)).toBe('system:serviceaccount:sys:manager');
  expect(
    objects.map(({ object: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`),
  ).toEqual([
    'Namespace /sys',
    'ServiceAccount sys/manager',
    'ClusterRole /manager-role',
    'Role sys/leader',
    'ClusterRole /shared',
    'ClusterRoleBinding /manager',
    'RoleBinding sys/leader',
    'RoleBinding other/shared',
  ]);
  expect(granted.map(({ role, namespace }) => `${role.name} in ${namespace ?? 'all'}`)).toEqual([
    'manager-role in all',
    'leader in sys',
    'shared in other',
  ]);
});

test('roles alone, without a Deployment, have one account', () => {
  expect(access(object('v1', 'ServiceAccount', 'manager', 'sys')).account).toEqual({
    namespace: 'sys',
    name: 'manager',
  });
});

test('a Deployment that names none runs as default', () => {
  expect(access(deployment('manager')).account).toEqual({ namespace: 'sys', name: 'default' });
});

describe('it is unclear who the operator is', () => {
  test.each<[string, readonly ManifestObject[], string]>([
    ['without an account', [], 'got none'],
    [
      'with Deployments of several accounts',
      [deployment('one', 'one'), deployment('two', 'two')],
      'got 2: system:serviceaccount:sys:one, system:serviceaccount:sys:two',
    ],
  ])('%s', (_title, objects, expected) => {
    expect(refusal(...objects)).toMatch(/^cluster\/no-service-account: /);
    expect(refusal(...objects)).toContain(expected);
  });
});

describe('the namespace that the operator watches', () => {
  const watching = (variable: object): string | undefined => {
    const spec = {
      template: {
        spec: { serviceAccountName: 'manager', containers: [{ name: 'manager', env: [variable] }] },
      },
    };
    return access(object('apps/v1', 'Deployment', 'manager', 'sys', { spec })).watchNamespace;
  };

  test.each<[object, string | undefined]>([
    [{ name: 'WATCH_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }, 'sys'],
    [{ name: 'WATCH_NAMESPACE', value: 'a,b' }, 'a,b'],
    [{ name: 'WATCH_NAMESPACE', value: '' }, undefined],
    [
      {
        name: 'WATCH_NAMESPACE',
        valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
      },
      undefined,
    ],
    [{ name: 'OTHER', value: 'x' }, undefined],
  ])('%j', (variable, expected) => {
    expect(watching(variable)).toBe(expected);
  });
});

describe('the images of the Deployment', () => {
  const images = (...containers: readonly object[]) => {
    const spec = { template: { spec: { serviceAccountName: 'manager', containers } } };
    const { image, relatedImages } = access(object('apps/v1', 'Deployment', 'manager', 'sys', { spec }));
    return { image, relatedImages };
  };

  test('are that of the operator, and those that RELATED_IMAGE_… variables name', () => {
    const env = [
      { name: 'RELATED_IMAGE_DATABASE', value: 'registry.example.com/database:v1' },
      { name: 'RELATED_IMAGE_LATER', valueFrom: { configMapKeyRef: { name: 'images', key: 'later' } } },
      { name: 'OTHER', value: 'x' },
    ];
    expect(images({ name: 'manager', image: 'controller:latest', env })).toEqual({
      image: 'controller:latest',
      relatedImages: { RELATED_IMAGE_DATABASE: 'registry.example.com/database:v1' },
    });
  });

  test('are none of the operator if there are several', () => {
    expect(images({ name: 'manager', image: 'a' }, { name: 'proxy', image: 'b' }).image).toBeUndefined();
  });
});
