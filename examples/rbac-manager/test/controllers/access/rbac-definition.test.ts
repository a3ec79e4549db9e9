// Unit tests on an API server in memory; they need no cluster and no binaries.
import { join } from 'node:path';
import { ClusterRoleBinding, RoleBinding } from 'opsdk/k8s/rbac/v1';
import { Namespace } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { RBACDefinition } from '../../../src/api/access/v1alpha1/rbac-definition.ts';
import { rbacDefinitionController } from '../../../src/controllers/access/rbac-definition.ts';

expect.extend(kubernetesMatchers);

const crds = join(import.meta.dirname, '../../../config/crd/bases');
const key = { name: 'team-web' };
const teamWeb: RBACDefinition = {
  apiVersion: 'access.example.com/v1alpha1',
  kind: 'RBACDefinition',
  metadata: key,
  spec: {
    rbacBindings: [
      {
        name: 'developers',
        subjects: [{ kind: 'Group', name: 'web-developers' }],
        roleBindings: [{ clusterRole: 'edit', namespaceSelector: { matchLabels: { team: 'web' } } }],
        clusterRoleBindings: [{ clusterRole: 'view' }],
      },
    ],
  },
};

function namespace(name: string, team: string): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { team } } };
}

async function started(): Promise<TestApi> {
  const kinds = [RBACDefinition, Namespace, RoleBinding, ClusterRoleBinding];
  const api = await createTestApi({
    crds: [crds],
    kinds,
    objects: [namespace('shop', 'web'), namespace('lab', 'lab'), teamWeb],
  });
  api.add(rbacDefinitionController);
  return api;
}

async function grants({ client }: TestApi): Promise<readonly string[]> {
  const inNamespaces = (await client.list(RoleBinding)).items;
  const everywhere = (await client.list(ClusterRoleBinding)).items;
  return [...inNamespaces, ...everywhere].map(
    ({ metadata: { namespace = '*' }, roleRef, subjects = [] }) =>
      `${namespace} ${roleRef.name}: ${subjects.map(({ name }) => name).join()}`,
  );
}

const all = ['shop edit: web-developers', '* view: web-developers'];

it('creates the bindings, and counts them', async () => {
  await using api = await started();
  await api.settle();
  expect(await grants(api)).toEqual(all);
  const { status } = await api.client.get(RBACDefinition, key);
  expect(status).toMatchObject({
    bindings: 2,
    conditions: [{ type: 'Ready', status: 'True', reason: 'Granted' }],
  });
});

it('follows the labels of namespaces', async () => {
  await using api = await started();
  await api.settle();
  await api.client.mergePatch(Namespace, { name: 'shop' }, { metadata: { labels: { team: 'shop' } } });
  await api.client.mergePatch(Namespace, { name: 'lab' }, { metadata: { labels: { team: 'web' } } });
  await api.settle();
  expect(await grants(api)).toEqual(['lab edit: web-developers', '* view: web-developers']);
});

it('puts bindings right that somebody changes, deletes, or makes again with another role', async () => {
  await using api = await started();
  await api.settle();
  const [binding] = (await api.client.list(RoleBinding)).items;
  const [everywhere] = (await api.client.list(ClusterRoleBinding)).items;
  if (binding === undefined || everywhere === undefined) throw new Error('Bindings are missing');
  const { namespace, name, ownerReferences } = binding.metadata;
  await api.client.mergePatch(ClusterRoleBinding, everywhere.metadata, { subjects: [] });
  await api.client.delete(RoleBinding, binding.metadata);
  await api.client.create(RoleBinding, {
    metadata: { namespace, name, ownerReferences },
    roleRef: { ...binding.roleRef, name: 'admin' },
    subjects: binding.subjects,
  });
  await api.settle();
  expect(await grants(api)).toEqual(all);
});

it('removes what the definition no longer asks for', async () => {
  await using api = await started();
  await api.settle();
  const [binding] = teamWeb.spec.rbacBindings;
  const rbacBindings = [{ ...binding, roleBindings: [{ clusterRole: 'admin', namespace: 'shop' }] }];
  await api.client.mergePatch(RBACDefinition, key, { spec: { rbacBindings } } as object);
  await api.settle();
  expect(await grants(api)).toEqual(['shop admin: web-developers', '* view: web-developers']);
});

it('removes the bindings with the definition', async () => {
  await using api = await started();
  await api.settle();
  await api.client.delete(RBACDefinition, key);
  await api.settle();
  expect(await grants(api)).toEqual([]);
});

it('says what it may not grant, grants the rest, and tries again', async () => {
  await using api = await started();
  const message = 'attempting to grant RBAC permissions not currently held';
  // Once for the definition, and once more for the binding that the first run has written.
  const refusal = { code: 403, reason: 'Forbidden', message };
  api.intercept({ verb: 'apply', resource: ClusterRoleBinding, times: 2 }, refusal);
  await api.settle();
  expect(await grants(api)).toEqual(['shop edit: web-developers']);
  const definition = await api.client.get(RBACDefinition, key);
  expect(definition).toHaveCondition('Ready', 'False', { reason: 'GrantRefused' });
  expect(definition.status?.conditions?.[0]?.message).toContain(message);
  expect(api.events[0]).toMatchObject({ reason: 'GrantRefused' });
  await api.advance('1m');
  expect(await grants(api)).toEqual(all);
});

it('leaves a binding of its name that belongs to somebody else', async () => {
  await using api = await started();
  await api.settle();
  const [binding] = (await api.client.list(RoleBinding)).items;
  if (binding === undefined) throw new Error('The binding is missing');
  const { namespace, name } = binding.metadata;
  const roleRef = { ...binding.roleRef, name: 'admin' };
  await api.client.delete(RoleBinding, binding.metadata);
  await api.client.create(RoleBinding, { metadata: { namespace, name }, roleRef, subjects: [] });
  await expect(api.settle()).rejects.toThrow('bindings failed');
  expect(await grants(api)).toContain('shop admin: ');
});

it('waits for a namespace that does not exist yet', async () => {
  await using api = await started();
  const [binding] = teamWeb.spec.rbacBindings;
  const rbacBindings = [{ ...binding, roleBindings: [{ clusterRole: 'edit', namespace: 'new' }] }];
  await api.client.mergePatch(RBACDefinition, key, { spec: { rbacBindings } } as object);
  await api.settle();
  expect(await api.client.get(RBACDefinition, key)).toHaveCondition('Ready', 'False', {
    reason: 'NamespaceMissing',
  });
  await api.client.create(Namespace, { metadata: { name: 'new' } });
  await api.settle();
  expect(await grants(api)).toEqual(['new edit: web-developers', '* view: web-developers']);
});

it('does not try again what only another selector helps', async () => {
  await using api = await started();
  const [binding] = teamWeb.spec.rbacBindings;
  const namespaceSelector = { matchExpressions: [{ key: 'team', operator: 'in', values: ['web'] }] };
  const rbacBindings = [{ ...binding, roleBindings: [{ clusterRole: 'edit', namespaceSelector }] }];
  await api.client.mergePatch(RBACDefinition, key, { spec: { rbacBindings } } as object);
  await expect(api.settle()).rejects.toThrow('operator');
  expect(await api.client.get(RBACDefinition, key)).toHaveCondition('Ready', 'False', {
    reason: 'ReconcileFailed',
  });
});
