import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { apply, clientOf, deployment, findingsOf, manifest } from './helpers.ts';
import { ConfigMap, Namespace } from './kinds.ts';

let client: KubeClient;

let namespace: string;

beforeAll(async () => {
  const plane = await sharedControlPlane();
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'apply');
});

afterAll(() => client.close());

const configMap = (name: string, data: object, place = namespace): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: place },
  data,
});

describe('what is refused before anything is written', () => {
  test('kinds that nobody knows, with what to do', async () => {
    const name = uniqueName();
    const of = (apiVersion: string, kind: string): object => ({
      apiVersion,
      kind,
      metadata: { name, namespace },
    });
    const findings = await findingsOf(
      apply(
        client,
        manifest(
          configMap(name, {}),
          of('monitoring.coreos.com/v1', 'ServiceMonitor'),
          of('cert-manager.io/v1', 'Certificate'),
          of('apps/v1beta1', 'Deployment'),
          of('apps/v1', 'Deploymet'),
          of('v1', 'ClusterRole'),
        ),
      ),
    );
    expect(findings.map(({ code, where }) => [code, where])).toEqual(
      [3, 5, 7, 9, 11].map((line) => ['cluster/unknown-kind', { file: 'all.yaml', line, column: 1 }]),
    );
    expect(findings[0]?.message).toBe(
      `ServiceMonitor ${name}: no matches for kind "ServiceMonitor" in version "monitoring.coreos.com/v1"`,
    );
    const fixes = findings.map(({ fix }) => fix?.[0]);
    expect(fixes[0]).toContain('Prometheus Operator');
    expect(fixes[1]).toContain('cert-manager');
    expect(fixes[2]).toBe('the cluster serves it as apps/v1');
    expect(fixes[3]).toBe('write Deployment, if that is what you mean');
    expect(fixes[4]).toBe('write apiVersion rbac.authorization.k8s.io/v1, if that is what you mean');
    expect(await client.find(ConfigMap, { name, namespace })).toBeUndefined();
  });

  test('unknown and invalid fields, all at once, also in a namespace that is yet to be made', async () => {
    const unique = uniqueName();
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: unique } };
    const findings = await findingsOf(
      apply(
        client,
        manifest(
          space,
          deployment('unknown', unique, { replica: 1, pause: true }),
          deployment('invalid', unique, { replicas: -1 }),
          deployment('here', namespace, { replica: 1 }),
        ),
      ),
    );
    expect(findings.map(({ code, message, where }) => [code, message.split(' must be')[0], where])).toEqual([
      [
        'cluster/invalid-object',
        'deployment.apps/unknown: unknown field "spec.replica"',
        { file: 'all.yaml', line: 3, column: 1 },
      ],
      [
        'cluster/invalid-object',
        'deployment.apps/unknown: unknown field "spec.pause"',
        { file: 'all.yaml', line: 3, column: 1 },
      ],
      [
        'cluster/invalid-object',
        'deployment.apps/invalid: spec.replicas: Invalid value: -1:',
        { file: 'all.yaml', line: 5, column: 1 },
      ],
      [
        'cluster/invalid-object',
        'deployment.apps/here: unknown field "spec.replica"',
        { file: 'all.yaml', line: 7, column: 1 },
      ],
    ]);
    expect(await client.find(Namespace, { name: unique })).toBeUndefined();
  });

  test('a change that an existing object does not allow', async () => {
    const name = uniqueName();
    await apply(client, manifest(deployment(name, namespace)));
    const other = { selector: { matchLabels: { app: 'other' } } };
    const findings = await findingsOf(apply(client, manifest(deployment(name, namespace, other))));
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(['cluster/invalid-object']));
    const fixed = findings.find(({ message }) => message.endsWith('field is immutable'));
    expect(fixed?.fix).toEqual([expect.stringContaining('delete the object there first')]);
    const unknown = await findingsOf(apply(client, manifest(deployment(name, namespace, { a: 1, b: 2 }))));
    expect(unknown.map(({ message }) => message)).toEqual([
      `deployment.apps/${name}: unknown field "spec.a"`,
      `deployment.apps/${name}: unknown field "spec.b"`,
    ]);
  });

  test('the same object twice, and a namespace that does not exist', async () => {
    const name = uniqueName();
    const twice = await findingsOf(apply(client, manifest(configMap(name, {}), configMap(name, { a: '1' }))));
    expect(twice).toEqual([
      expect.objectContaining({
        code: 'cluster/duplicate-object',
        message: `configmap/${name} appears twice, also in all.yaml:1`,
      }),
    ]);
    const nowhere = [configMap('a', {}, name), configMap('b', {}, name)];
    const missing = await findingsOf(apply(client, manifest(...nowhere)));
    expect(missing.map(({ code, message }) => [code, message])).toEqual([
      ['cluster/namespace-missing', `configmap/a: the namespace ${name} does not exist`],
    ]);
  });

  test('an older state of an object, as it was read from a cluster', async () => {
    const name = uniqueName();
    await apply(client, manifest(configMap(name, {})));
    const live = await client.get(ConfigMap, { name, namespace });
    const { managedFields: _, ...metadata } = live.metadata;
    const read = { ...live, apiVersion: 'v1', kind: 'ConfigMap', metadata };
    expect(await apply(client, manifest(read))).toHaveLength(1);
    await apply(client, manifest(configMap(name, { a: '1' })));
    const [finding] = await findingsOf(apply(client, manifest(read)));
    expect(finding?.code).toBe('cluster/refused');
    expect(finding?.fix).toEqual([expect.stringContaining('metadata.resourceVersion')]);
  });

  test('objects that are being deleted', async () => {
    const name = uniqueName();
    const held = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, finalizers: ['example.com/hold'] },
    };
    await apply(client, manifest(held));
    await client.delete(ConfigMap, { name, namespace });
    const [finding] = await findingsOf(apply(client, manifest(held)));
    expect(finding).toMatchObject({
      code: 'cluster/being-deleted',
      message: `configmap/${name} is being deleted`,
    });
    await client.patch(
      ConfigMap,
      { name, namespace },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
  });

  test('what the identity may not do', async () => {
    const plane = await sharedControlPlane();
    const name = uniqueName('nobody');
    const nobody = await clientOf(plane, { as: name });
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    };
    const findings = await findingsOf(apply(nobody, manifest(role)));
    expect(findings.map(({ code }) => code)).toEqual(['cluster/forbidden']);
    await nobody.close();
  });
});

test('who may do no more than the manifest asks for may bind the role that comes with it', async () => {
  const plane = await sharedControlPlane();
  const user = uniqueName('deployer');
  const rules = [
    { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'create', 'patch'] },
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['get', 'create', 'patch'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  ];
  const group = 'rbac.authorization.k8s.io';
  const apiVersion = `${group}/v1`;
  const subjects = [{ apiGroup: group, kind: 'User', name: user }];
  await apply(
    client,
    manifest(
      { apiVersion, kind: 'ClusterRole', metadata: { name: user }, rules },
      {
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata: { name: user },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: user },
        subjects,
      },
    ),
  );
  const deployer = await clientOf(plane, { as: user });
  const space = uniqueName('bound');
  const metadata = { name: 'reader', namespace: space };
  const objects = (place: string): ReturnType<typeof manifest> =>
    manifest(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: space } },
      {
        apiVersion,
        kind: 'Role',
        metadata: { ...metadata, namespace: place },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      },
      {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { ...metadata, namespace: place },
        roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
        subjects,
      },
    );
  const lines = (what: string): readonly string[] => [
    `namespace/${space} ${what}`,
    `role.${group}/reader ${what}`,
    `rolebinding.${group}/reader ${what}`,
  ];
  expect(await apply(deployer, objects(space))).toEqual(lines('created'));
  expect(await apply(deployer, objects(space))).toEqual(lines('unchanged'));
  // In a namespace that is there the API server looks for the role before it is written.
  const there = await uniqueNamespace(plane, 'bound');
  expect(await apply(deployer, objects(there))).toEqual([
    `namespace/${space} unchanged`,
    ...lines('created').slice(1),
  ]);
  await deployer.close();
});
