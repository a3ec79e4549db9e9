// What the manager asks about its own permissions at the start, as ServiceAccounts that have some of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cached, defineController, type RbacRule } from '../../../../src/index.ts';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import {
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
} from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import { Namespace, ServiceAccount } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually, type ControlPlane } from '../../../../src/testing/index.ts';
import { runManager } from './running-manager.ts';
import { Site, startSitePlane } from './site.ts';

let plane: ControlPlane;
let client: KubeClient;

beforeAll(async () => {
  ({ plane, client } = await startSitePlane());
  await client.create(Namespace, { metadata: { name: 'operators' } });
});
afterAll(async () => {
  await client?.close();
  await plane?.stop();
});

const apiGroup = 'rbac.authorization.k8s.io';
const sites = { groups: ['web.example.com'], resources: ['sites'] };
const permissions: readonly RbacRule[] = [
  { ...sites, verbs: ['list', 'watch', 'get'] },
  { groups: [''], resources: ['secrets'], resourceNames: ['ca'], verbs: ['get'] },
  { groups: ['apps'], resources: ['deployments/scale'], verbs: ['patch'] },
  { nonResourceURLs: ['/metrics'], verbs: ['get'] },
];

/** The kubeconfig of a ServiceAccount that has a role, in one namespace or in all. */
async function account(name: string, verbs: readonly string[], namespace?: string): Promise<string> {
  await client.create(ServiceAccount, { metadata: { name, namespace: 'operators' } });
  const rules = [{ apiGroups: sites.groups, resources: sites.resources, verbs: [...verbs] }];
  const subjects = [{ kind: 'ServiceAccount', name, namespace: 'operators' }];
  if (namespace === undefined) {
    await client.create(ClusterRole, { metadata: { name }, rules });
    const roleRef = { apiGroup, kind: 'ClusterRole', name };
    await client.create(ClusterRoleBinding, { metadata: { name }, roleRef, subjects });
  } else {
    await client.create(Role, { metadata: { name, namespace }, rules });
    await client.create(RoleBinding, {
      metadata: { name, namespace },
      roleRef: { apiGroup, kind: 'Role', name },
      subjects,
    });
  }
  return (await plane.serviceAccountKubeconfig('operators', name)).path;
}

const controller = defineController({ for: Site, reconcile: () => undefined });

test('a missing watch ends the start, with the rule to add; the rest is one warning each', async () => {
  const kubeconfig = await account('no-watch', ['list', 'get']);
  await using manager = await runManager({ kubeconfig, permissions }, controller);
  const error: unknown = await manager.ended.catch((thrown: unknown) => thrown);
  expect(isOpSdkError(error) && error.findings).toEqual([
    {
      code: 'runtime/missing-permission',
      message: 'the operator may not watch sites.web.example.com in all namespaces',
      fix: [
        "give the operator the rule { apiGroups: ['web.example.com'], resources: ['sites'], verbs: ['watch'] }",
        expect.stringContaining('config/rbac/role.yaml'),
      ],
    },
  ]);
  expect(manager.lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)).toEqual([
    "Missing permission: give the operator the rule { apiGroups: [''], resources: ['secrets'], resourceNames: ['ca'], verbs: ['get'] }",
    "Missing permission: give the operator the rule { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['patch'] }",
    "Missing permission: give the operator the rule { nonResourceURLs: ['/metrics'], verbs: ['get'] }",
  ]);
});

test('both verbs of a kind are one finding, for each namespace that is watched', async () => {
  const kubeconfig = await account('in-default', ['list', 'watch'], 'default');
  const namespaces = ['default', 'operators'];
  const rules = [{ ...sites, verbs: ['list', 'watch'] }];
  await using refused = await runManager({ kubeconfig, permissions: rules, namespaces }, controller);
  await expect(refused.ended).rejects.toThrow(
    'the operator may not list and watch sites.web.example.com in namespace operators',
  );
  // The kind has namespaces of its own.
  const cache = [cached(Site, { namespaces: ['default'] })];
  await using manager = await runManager({ kubeconfig, permissions: rules, namespaces, cache }, controller);
  await eventually(() => expect(manager.lines.map(({ msg }) => msg)).toContain('Starting workers'));
  expect(manager.lines.filter(({ level }) => level === 'warn')).toEqual([]);
});
