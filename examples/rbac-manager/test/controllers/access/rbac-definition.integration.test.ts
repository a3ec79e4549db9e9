// The controller on a real API server, which decides what the operator may grant.
import { join } from 'node:path';
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { ServiceAccount } from 'opsdk/k8s/core/v1';
import { ClusterRole, ClusterRoleBinding, RoleBinding } from 'opsdk/k8s/rbac/v1';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RBACDefinition, type RBACBinding } from '../../../src/api/access/v1alpha1/rbac-definition.ts';
import { rbacDefinitionController } from '../../../src/controllers/access/rbac-definition.ts';
import { permissions } from '../../../src/generated/rbac.ts';

expect.extend(kubernetesMatchers);

const crds = join(import.meta.dirname, '../../../config/crd/bases');
/** The operator's ServiceAccount: one of the test, or that of config/default under `op-sdk rbac audit`. */
let operator = { name: 'rbac-manager', namespace: 'default' };
const apiGroup = 'rbac.authorization.k8s.io';
const stop = new AbortController();
let controlPlane: ControlPlane | undefined;
/** The administrator, who does what users of the operator do. */
let client: ClusterClient;
let running: Promise<void> | undefined;

/** Gives the operator a role, as the administrator of a cluster does. */
async function giveOperator(role: string): Promise<void> {
  await client.create(ClusterRoleBinding, {
    metadata: { name: `${operator.name}-${role}` },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', ...operator }],
  });
}

/** Creates the operator's ServiceAccount, with the role that is generated from its sources. */
async function createOperator(): Promise<void> {
  const rules = permissions.map(({ groups, resources, verbs }) => ({
    apiGroups: [...(groups ?? [])],
    resources: [...(resources ?? [])],
    verbs: [...verbs],
  }));
  await client.create(ServiceAccount, { metadata: operator });
  await client.create(ClusterRole, { metadata: { name: 'manager-role' }, rules });
  await giveOperator('manager-role');
}

// The first start downloads or builds the control plane.
beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: [crds] });
  client = createClusterClient({
    cluster: await loadCluster({ kubeconfig: controlPlane.kubeconfig }),
    fieldManager: 'test',
  });
  const { kubeconfig, operatorKubeconfig } = controlPlane;
  const isAudit = operatorKubeconfig !== kubeconfig;
  if (isAudit) operator = { name: 'rbac-manager-controller-manager', namespace: 'rbac-manager-system' };
  else await createOperator();
  // Those of Kubernetes, such as `view`, have no rules without kube-controller-manager.
  const reads = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  await client.create(ClusterRole, { metadata: { name: 'reader' }, rules: reads });
  await giveOperator('reader');
  const manager = await createManager({
    name: 'rbac-manager',
    // Not the administrator: what the operator may grant is what is tested here.
    kubeconfig: isAudit
      ? operatorKubeconfig
      : (await controlPlane.serviceAccountKubeconfig(operator.namespace, operator.name)).path,
    health: '0',
    logLevel: 'fatal',
  });
  manager.add(rbacDefinitionController);
  running = manager.run({ signal: stop.signal });
}, 900_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

async function define(name: string, clusterRole: string, where: 'default' | 'everywhere'): Promise<void> {
  const subjects: RBACBinding['subjects'] = [{ kind: 'Group', name: 'developers' }];
  const grants =
    where === 'default'
      ? { roleBindings: [{ clusterRole, namespace: where }] }
      : { clusterRoleBindings: [{ clusterRole }] };
  await client.create(RBACDefinition, {
    metadata: { name },
    spec: { rbacBindings: [{ name: 'a', subjects, ...grants }] },
  });
}

it('grants what the operator has itself', async () => {
  await define('readers', 'reader', 'default');
  await eventually(async () =>
    expect(await client.get(RBACDefinition, { name: 'readers' })).toHaveCondition('Ready', 'True'),
  );
  const { items } = await client.list(RoleBinding, { namespace: 'default' });
  expect(items.map(({ roleRef }) => roleRef.name)).toEqual(['reader']);
});

it.for(['default', 'everywhere'] as const)('does not grant what it does not have: %s', async (where) => {
  await define(`admins-${where}`, 'cluster-admin', where);
  await eventually(async () =>
    expect(await client.get(RBACDefinition, { name: `admins-${where}` })).toHaveCondition('Ready', 'False', {
      reason: 'GrantRefused',
    }),
  );
  const { status } = await client.get(RBACDefinition, { name: `admins-${where}` });
  expect(status?.conditions?.[0]?.message).toContain(
    'attempting to grant RBAC permissions not currently held',
  );
  expect(status?.bindings).toBe(0);
});

it('takes a grant back when the definition asks for one that it does not have', async () => {
  await client.mergePatch(
    RBACDefinition,
    { name: 'readers' },
    {
      spec: {
        rbacBindings: [
          {
            name: 'a',
            subjects: [{ kind: 'Group', name: 'developers' }],
            roleBindings: [{ clusterRole: 'cluster-admin', namespace: 'default' }],
          },
        ],
      },
    },
  );
  await eventually(async () =>
    expect(await client.get(RBACDefinition, { name: 'readers' })).toHaveCondition('Ready', 'False'),
  );
  expect((await client.list(RoleBinding, { namespace: 'default' })).items).toEqual([]);
});
