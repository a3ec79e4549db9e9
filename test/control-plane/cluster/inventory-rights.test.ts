// Who may not keep the inventory deploys without it, is told so, and prunes nothing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { partOfLabel } from '../../../src/cluster/inventory/apply-set.ts';
import { Secret } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { ClusterRole } from '../../../src/sdk/k8s/generated/rbac/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../helpers/control-plane.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../helpers/service-account.ts';
import { clientOf } from './helpers.ts';
import {
  clusterRole,
  codesIn,
  deployedFolder,
  operator,
  settings,
  type DeployedFolder,
} from './inventory-helpers.ts';
import { ConfigMap, Deployment } from './kinds.ts';

let plane: SharedControlPlane;
let client: KubeClient;
let namespace: string;
let folder: DeployedFolder;
let name: string;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'rights');
});
beforeEach(async () => {
  folder = await deployedFolder(plane.kubeconfig);
  name = uniqueName('op');
  return () => folder[Symbol.asyncDispose]();
});
afterAll(() => client.close());

const write = ['get', 'create', 'patch', 'delete'];

/** The flags for a user with these rules and those for the objects themselves. */
async function as(...rules: NonNullable<ClusterRole['rules']>): Promise<readonly string[]> {
  const user = uniqueName('user');
  const own = [{ apiGroups: ['apps', ''], resources: ['deployments', 'configmaps'], verbs: write }];
  const token = await serviceAccountToken(client, namespace, [...own, ...rules], user);
  const file = join(folder.path, 'kubeconfig');
  await writeFile(file, tokenKubeconfig(plane, token));
  // The API server follows bindings by a watch.
  await eventually(
    async () => {
      const spec = { user: `system:serviceaccount:${namespace}:${user}` };
      const review = await client.raw.request({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { ...spec, resourceAttributes: { namespace, verb: 'patch', resource: 'configmaps' } },
        },
      });
      return review.json<{ status: { allowed: boolean } }>().status.allowed;
    },
    { timeout: 60_000 },
  );
  return ['--kubeconfig', file];
}

const list = { apiGroups: ['apps', ''], resources: ['deployments', 'configmaps'], verbs: ['list'] };
const secrets = (...verbs: string[]): { apiGroups: string[]; resources: string[]; verbs: string[] } => ({
  apiGroups: [''],
  resources: ['secrets'],
  verbs,
});

test.each([
  ['read', []],
  ['write', ['get']],
])('who may not %s the Secret deploys without labels', async (_what, verbs) => {
  const user = await as(list, ...(verbs.length === 0 ? [] : [secrets(...verbs)]));
  const objects = [operator(name, namespace), settings(name, namespace)];
  const asked = await folder.run('deploy', objects, ...user, '--prune');
  expect([asked.code, asked.stdout, codesIn(asked.stderr)]).toEqual([1, '', ['cluster/inventory-forbidden']]);
  expect(await client.find(ConfigMap, { name, namespace })).toBeUndefined();

  const { code, stderr } = await folder.run('deploy', objects, ...user);
  expect([code, codesIn(stderr)]).toEqual([0, ['cluster/inventory-forbidden']]);
  // Nobody would find by the label what no inventory lists.
  expect((await client.get(ConfigMap, { name, namespace })).metadata.labels).toBeUndefined();
  expect(await client.find(Secret, { name: `${name}-applyset`, namespace })).toBeUndefined();
});

test('members stay members, and nothing is pruned', async () => {
  const objects = [operator(name, namespace), settings(name, namespace)];
  await folder.deploy([...objects, settings(`${name}-old`, namespace)]);
  const user = await as(list);
  const { code, stdout, stderr } = await folder.run('deploy', objects, ...user);
  expect([code, codesIn(stderr)]).toEqual([0, ['cluster/inventory-forbidden']]);
  expect(stdout).toBe(`configmap/${name} unchanged\ndeployment.apps/${name}-controller-manager unchanged\n`);
  const { metadata } = await client.get(ConfigMap, { name, namespace });
  expect(metadata.labels).toHaveProperty([partOfLabel]);
  expect(await folder.deploy(objects, '--prune')).toContain(`configmap/${name}-old pruned`);
});

test('kinds that may not be listed stay in the inventory', async () => {
  const user = await as(secrets(...write));
  const objects = [operator(name, namespace)];
  await folder.deploy([...objects, settings(name, namespace)]);
  const asked = await folder.run('deploy', objects, ...user, '--prune');
  expect([asked.code, asked.stdout, codesIn(asked.stderr)]).toEqual([1, '', ['cluster/members-not-listed']]);
  const { code, stderr } = await folder.run('deploy', objects, ...user);
  expect([code, codesIn(stderr)]).toEqual([0, ['cluster/members-not-listed']]);
  expect(await folder.deploy(objects, '--prune')).toContain(`configmap/${name} pruned`);
  expect(await client.find(Deployment, { name: `${name}-controller-manager`, namespace })).toBeDefined();
});

test('what undeploy may not delete stays in the inventory', async () => {
  const roles = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] };
  const user = await as(list, secrets(...write), { ...roles, verbs: ['get', 'list'] });
  const objects = [operator(name, namespace)];
  await folder.deploy([...objects, clusterRole(name)]);
  const refused = await folder.run('undeploy', objects, ...user, '--prune');
  expect([refused.code, codesIn(refused.stderr)]).toEqual([1, ['cluster/forbidden']]);
  expect(refused.stdout).toBe(`deployment.apps/${name}-controller-manager deleted\n`);
  const { code, stdout } = await folder.run('undeploy', objects, '--prune');
  expect([code, stdout]).toEqual([0, `clusterrole.rbac.authorization.k8s.io/${name} deleted\n`]);
  expect(await client.find(Secret, { name: `${name}-applyset`, namespace })).toBeUndefined();
});

test('undeploy without the inventory keeps what belongs to another operator', async () => {
  const user = await as(list);
  const shared = settings(name, namespace);
  await folder.deploy([operator(name, namespace), shared]);
  const moved = operator(`${name}-moved`, namespace);
  const taken = await folder.run('deploy', [moved, shared], '--take-over', '--no-prune');
  expect([taken.code, codesIn(taken.stderr)]).toEqual([0, ['cluster/former-operator']]);
  const { code, stdout, stderr } = await folder.run('undeploy', [operator(name, namespace), shared], ...user);
  expect([code, codesIn(stderr)]).toEqual([0, ['cluster/other-applyset', 'cluster/inventory-forbidden']]);
  expect(stdout).toBe(`deployment.apps/${name}-controller-manager deleted\n`);
  expect(await client.find(ConfigMap, { name, namespace })).toBeDefined();
});
