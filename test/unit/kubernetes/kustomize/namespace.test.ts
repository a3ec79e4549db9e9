// The field `namespace`. Everything here was compared with kustomize 5.
import { describe, expect, test } from 'vitest';
import { documents, idsOf, manifest, refusals, render } from './render.ts';

const rbac = 'rbac.authorization.k8s.io/v1';

describe('namespace', () => {
  test('is set in namespaced resources and left out of cluster-scoped ones', async () => {
    const objects = await render({
      'kustomization.yaml': 'namespace: prod\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('v1', 'ConfigMap', 'a'),
        manifest('v1', 'ConfigMap', 'b', { metadata: { namespace: 'other' } }),
        manifest('example.com/v1', 'Custom', 'c'),
        manifest(rbac, 'ClusterRole', 'd'),
        manifest('v1', 'Node', 'e'),
      ),
    });
    expect(idsOf(objects).toSorted()).toEqual([
      'ClusterRole d',
      'ConfigMap prod/a',
      'ConfigMap prod/b',
      'Custom prod/c',
      'Node e',
    ]);
  });

  test('renames Namespaces of the core group only', async () => {
    const objects = await render({
      'kustomization.yaml': 'namespace: prod\nresources: [r.yaml]\n',
      'r.yaml': documents(manifest('v1', 'Namespace', 'system'), manifest('other.io/v1', 'Namespace', 'x')),
    });
    expect(idsOf(objects)).toEqual(['Namespace prod', 'Namespace prod/x']);
  });

  test('is set in services of webhooks, API services and conversions', async () => {
    const service = { name: 'hook', namespace: 'system' };
    const objects = await render({
      'kustomization.yaml': 'namespace: prod\nnamePrefix: p-\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('v1', 'Service', 'hook', { metadata: { namespace: 'system' } }),
        manifest('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'm', {
          webhooks: [{ clientConfig: { service } }, { clientConfig: { url: 'https://x' } }],
        }),
        manifest('apiregistration.k8s.io/v1', 'APIService', 'v1.x.io', { spec: { service } }),
        manifest('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'xs.x.io', {
          spec: { conversion: { webhook: { clientConfig: { service } } } },
        }),
      ),
    });
    expect(Object.fromEntries(objects.map(({ kind, spec, webhooks }) => [kind, spec ?? webhooks]))).toEqual({
      Service: undefined,
      MutatingWebhookConfiguration: [
        { clientConfig: { service: { name: 'p-hook', namespace: 'prod' } } },
        { clientConfig: { url: 'https://x' } },
      ],
      APIService: { service: { name: 'p-hook', namespace: 'prod' } },
      // kustomize does not follow the name here.
      CustomResourceDefinition: {
        conversion: { webhook: { clientConfig: { service: { name: 'hook', namespace: 'prod' } } } },
      },
    });
  });

  test('is set for subjects called default, and for accounts of the build', async () => {
    const subjects = [
      { kind: 'ServiceAccount', name: 'default', namespace: 'system' },
      { kind: 'ServiceAccount', name: 'manager', namespace: 'system' },
      { kind: 'ServiceAccount', name: 'stranger', namespace: 'system' },
      { kind: 'Group', name: 'admins' },
    ];
    const objects = await render({
      'kustomization.yaml': 'namespace: prod\nnamePrefix: p-\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('v1', 'ServiceAccount', 'manager', { metadata: { namespace: 'system' } }),
        manifest(rbac, 'ClusterRoleBinding', 'b', { subjects }),
      ),
    });
    expect(objects.at(-1)?.['subjects']).toEqual([
      { kind: 'ServiceAccount', name: 'default', namespace: 'prod' },
      { kind: 'ServiceAccount', name: 'p-manager', namespace: 'prod' },
      { kind: 'ServiceAccount', name: 'stranger', namespace: 'system' },
      { kind: 'Group', name: 'admins' },
    ]);
  });

  test('that makes two resources the same is refused', async () => {
    const files = {
      'kustomization.yaml': 'namespace: prod\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('v1', 'ConfigMap', 'a'),
        manifest('v1', 'ConfigMap', 'a', { metadata: { namespace: 'other' } }),
      ),
    };
    expect(await refusals(files)).toEqual(['r.yaml:3:1 kustomize/duplicate-resource']);
  });

  test('that cannot be set is refused for each resource', async () => {
    const files = {
      'kustomization.yaml': 'namespace: prod\nresources: [r.yaml]\n',
      'r.yaml': documents(
        manifest(rbac, 'RoleBinding', 'a', { subjects: { name: 'x' } }),
        manifest('apiregistration.k8s.io/v1', 'APIService', 'b', { spec: 'text' }),
        manifest('apiregistration.k8s.io/v1', 'APIService', 'c', { spec: { service: { namespace: [] } } }),
      ),
    };
    expect(await refusals(files)).toEqual([
      'r.yaml:1:1 kustomize/unexpected-shape',
      'r.yaml:3:1 kustomize/unexpected-shape',
      'r.yaml:5:1 kustomize/unexpected-shape',
    ]);
  });
});
