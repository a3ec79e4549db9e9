import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../../src/sdk/api/index.ts';
import { isAuthReaderOf } from '../../../../../src/olm/run/cleanup/auth-readers.ts';
import type { Loose } from '../../bundle/objects.ts';

const binding = (change: (object: Loose) => void = () => undefined): KubeObject => {
  const object: Loose = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: {
      name: 'web-service-auth-reader',
      namespace: 'kube-system',
      labels: { 'olm.managed': 'true' },
    },
    roleRef: { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'web' }],
  };
  change(object);
  return object as KubeObject;
};
const removed = new Set(['web', 'olm']);

describe('RoleBindings that let servers read how requests are authenticated', () => {
  test('those of OLM for a namespace that is removed are found', () => {
    expect(isAuthReaderOf(binding(), removed)).toBe(true);
  });

  test.each<[string, (object: Loose) => void]>([
    ['in another namespace', (object) => (object.metadata.namespace = 'web')],
    ['without the label of OLM', (object) => (object.metadata.labels = {})],
    ['of another name', (object) => (object.metadata.name = 'web')],
    ['for another Role', (object) => (object.roleRef.name = 'admin')],
    ['for a ClusterRole of the name', (object) => (object.roleRef.kind = 'ClusterRole')],
    ['for another namespace', (object) => (object.subjects[0].namespace = 'other')],
    [
      'for two namespaces',
      (object) => (object.subjects = [...object.subjects, { ...object.subjects[0], namespace: 'other' }]),
    ],
    ['for a user', (object) => (object.subjects[0].kind = 'User')],
  ])('those %s are left alone', (_, change) => {
    expect(isAuthReaderOf(binding(change), removed)).toBe(false);
  });
});
