import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import {
  createRestMapper,
  isNotFound,
  type Connection,
  type KubeClient,
} from '../../../src/sdk/kube/index.ts';
import type { Finding } from '../../../src/base/errors/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { apply, clientOf, deployment, findingsOf, manifest, widget } from './helpers.ts';
import { ConfigMap, Namespace, Crd } from './kinds.ts';

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

describe('applying', () => {
  test('writes namespaces and definitions first, what needs them later, webhooks last, and nothing the second time', async () => {
    const unique = uniqueName('order');
    const { crd, object, name } = widget(unique, unique);
    const webhooks = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: unique },
      webhooks: [
        {
          name: 'never.example.com',
          rules: [
            {
              apiGroups: ['none.example.com'],
              apiVersions: ['v1'],
              operations: ['CREATE'],
              resources: ['nones'],
            },
          ],
          clientConfig: { service: { name: 'none', namespace: unique } },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
        },
      ],
    };
    const account = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'runner', namespace: unique },
    };
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'runner', namespace: unique },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'runner' },
      subjects: [{ kind: 'ServiceAccount', name: 'runner', namespace: unique }],
    };
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'runner', namespace: unique },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    };
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: unique } };
    const objects = manifest(
      webhooks,
      object,
      deployment('web', unique),
      configMap('settings', { a: '1' }, unique),
      binding,
      role,
      account,
      crd,
      space,
    );
    const titles = [
      `namespace/${unique}`,
      `customresourcedefinition.apiextensions.k8s.io/${name}`,
      'serviceaccount/runner',
      'role.rbac.authorization.k8s.io/runner',
      'rolebinding.rbac.authorization.k8s.io/runner',
      'configmap/settings',
      'deployment.apps/web',
      `widget.${unique}.example.com/one`,
      `validatingwebhookconfiguration.admissionregistration.k8s.io/${unique}`,
    ];
    const planned = await apply(client, objects, { dryRun: true });
    expect(planned).toEqual(titles.map((title) => `${title} created`));
    expect(await client.find(Namespace, { name: unique })).toBeUndefined();

    expect(await apply(client, objects)).toEqual(titles.map((title) => `${title} created`));
    expect(await apply(client, objects, { dryRun: true })).toEqual(
      titles.map((title) => `${title} unchanged`),
    );
    expect(await apply(client, objects)).toEqual(titles.map((title) => `${title} unchanged`));
  });

  test('tells what is configured, also in a dry run', async () => {
    const name = uniqueName();
    await apply(client, manifest(configMap(name, { a: '1' })));
    const changed = manifest(configMap(name, { a: '2' }));
    expect(await apply(client, changed, { dryRun: true })).toEqual([`configmap/${name} configured`]);
    expect(await apply(client, changed)).toEqual([`configmap/${name} configured`]);
    expect(await client.get(ConfigMap, { name, namespace })).toMatchObject({ data: { a: '2' } });
  });

  test('tells what it did, not what it meant to do, where others write at the same time', async () => {
    const name = uniqueName();
    const { connection } = client;
    let others = 0;
    const request: Connection['request'] = async (call) => {
      if (call.method === 'PATCH' && call.query?.['dryRun'] === undefined) {
        others += 1;
        await client.create(ConfigMap, { metadata: { name, namespace } });
      }
      return connection.request(call);
    };
    const raced = Object.create(client, {
      connection: { value: { ...connection, cluster: connection.cluster, request } },
    }) as KubeClient;
    expect(await apply(raced, manifest(configMap(name, { a: '1' })))).toEqual([
      `configmap/${name} configured`,
    ]);
    expect(others).toBe(1);
  });

  test('does not take what others write meanwhile for its own change', async () => {
    const name = uniqueName();
    const objects = manifest(configMap(name, { a: '1' }));
    await apply(client, objects);
    const { connection } = client;
    const request: Connection['request'] = async (call) => {
      if (call.method === 'PATCH' && call.query?.['dryRun'] === undefined)
        await client.patch(
          ConfigMap,
          { name, namespace },
          { type: 'merge', body: { metadata: { annotations: { others: '1' } } } },
        );
      return connection.request(call);
    };
    const raced = Object.create(client, {
      connection: { value: { ...connection, cluster: connection.cluster, request } },
    }) as KubeClient;
    expect(await apply(raced, objects)).toEqual([`configmap/${name} unchanged`]);
    expect(await client.get(ConfigMap, { name, namespace })).toMatchObject({
      metadata: { annotations: { others: '1' } },
    });
  });

  test('writes objects without a namespace into that of the context, and drops one that a kind does not have', async () => {
    const name = uniqueName();
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name, namespace: 'somewhere' },
      rules: [],
    };
    await apply(client, manifest(configMap(name, {}, ''), role));
    expect(await client.get(ConfigMap, { name, namespace: 'default' })).toBeDefined();
    await client.delete(ConfigMap, { name, namespace: 'default' });
  });

  test('takes fields over and says from whom', async () => {
    const name = uniqueName();
    const other = await clientOf(await sharedControlPlane(), { fieldManager: 'somebody' });
    await other.apply(ConfigMap, {
      metadata: { name, namespace },
      data: { a: 'theirs', b: 'theirs' },
    });
    await other.close();
    const warnings: Finding[] = [];
    const objects = manifest(configMap(name, { a: 'ours' }));
    await apply(client, objects, { onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'cluster/field-taken-over',
        message: `configmap/${name}: the manifest overwrites values that others have set: .data.a from somebody`,
      }),
    ]);
    expect(await client.get(ConfigMap, { name, namespace })).toMatchObject({
      data: { a: 'ours', b: 'theirs' },
    });
    warnings.length = 0;
    expect(await apply(client, objects, { onWarning: (warning) => warnings.push(warning) })).toEqual([
      `configmap/${name} unchanged`,
    ]);
    expect(warnings).toEqual([]);
  });
});

describe('definitions and their objects', () => {
  test('objects are checked once their definition is served; what is wrong is said then', async () => {
    const unique = uniqueName('late');
    const { crd, object, name } = widget(unique, namespace);
    const wrong = { ...object, spec: { size: 0, colour: 'red' } };
    const lines: string[] = [];
    const findings = await findingsOf(
      apply(client, manifest(crd, wrong), {
        schemaTimeout: 100,
        onOutcome: ({ name: each, action }) => lines.push(`${each} ${action}`),
      }),
    );
    expect(lines).toEqual([`${name} created`]);
    expect(findings.map(({ code }) => code)).toEqual(['cluster/invalid-object']);
    expect(findings[0]?.message).toContain('unknown field "spec.colour"');
    expect(await apply(client, manifest(crd, object))).toEqual([
      `customresourcedefinition.apiextensions.k8s.io/${name} unchanged`,
      `widget.${unique}.example.com/one created`,
    ]);
  });

  test('a new field comes with its definition: objects are held against the definition of the manifest', async () => {
    const { crd, object, group, name } = widget(uniqueName('field'), namespace);
    await apply(client, manifest(crd, object));
    type Spec = { spec: { versions: { schema: { openAPIV3Schema: { properties: object } } }[] } };
    const next = structuredClone(crd) as Spec;
    const spec = { type: 'object', properties: { size: { type: 'integer' }, colour: { type: 'string' } } };
    for (const { schema } of next.spec.versions) schema.openAPIV3Schema.properties = { spec };
    const objects = manifest(next, { ...object, spec: { size: 1, colour: 'red' } });
    const lines = (what: string): readonly string[] => [
      `customresourcedefinition.apiextensions.k8s.io/${name} ${what}`,
      `widget.${group}/one ${what}`,
    ];
    expect(await apply(client, objects, { dryRun: true })).toEqual(lines('configured'));
    expect(await apply(client, objects)).toEqual(lines('configured'));
    expect(await apply(client, objects)).toEqual(lines('unchanged'));
    const type = externalResource({
      group,
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      scope: 'Namespaced',
    });
    expect(await client.get(type, { name: 'one', namespace })).toMatchObject({ spec: { colour: 'red' } });
  });

  test('what the API server objects to counts only if it stays', async () => {
    const { crd, object, name } = widget(uniqueName('moment'), namespace);
    const objects = manifest(crd, { ...object, spec: { size: 1, colour: 'red' } });
    const properties = { size: { type: 'integer' }, colour: { type: 'string' } };
    const [v1] = (crd as { spec: { versions: readonly object[] } }).spec.versions;
    const schema = {
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
    };
    const body = { spec: { versions: [{ ...v1, schema }] } };
    let objections = 0;
    const { connection } = client;
    // The definition becomes what the object is written for once the API server has objected to it.
    const request: Connection['request'] = async (call) => {
      try {
        return await connection.request(call);
      } catch (error) {
        if (!call.path.includes('/widgets')) throw error;
        if (!isNotFound(error) && (objections += 1) === 1)
          await client.patch(Crd, { name }, { type: 'merge', body });
        throw error;
      }
    };
    const watched = Object.create(client, {
      connection: { value: { ...connection, cluster: connection.cluster, request } },
    }) as KubeClient;
    expect(await apply(watched, objects, { schemaTimeout: 60_000 })).toHaveLength(2);
    expect(objections).toBeGreaterThan(0);
  });

  test('names that another definition has are not accepted', async () => {
    const unique = uniqueName('names');
    const { crd, group } = widget(unique, namespace);
    await apply(client, manifest(crd));
    const second = structuredClone(crd) as {
      metadata: { name: string };
      spec: { names: { plural: string } };
    };
    second.metadata.name = `gadgets.${group}`;
    second.spec.names.plural = 'gadgets';
    const [finding] = await findingsOf(apply(client, manifest(second)));
    expect(finding).toMatchObject({
      code: 'cluster/crd-not-accepted',
      where: { file: 'all.yaml', line: 1, column: 1 },
    });
    for (const name of [`widgets.${group}`, `gadgets.${group}`]) await client.delete(Crd, { name });
  });
});

test('the mapper knows built-in and custom kinds, their scopes and verbs', async () => {
  const mapper = createRestMapper(client.connection);
  expect((await mapper.find('apps/v1', 'Deployment'))?.resource).toMatchObject({
    plural: 'deployments',
    namespaced: true,
  });
  expect(await mapper.find('v1', 'Namespace')).toMatchObject({
    resource: { group: '', plural: 'namespaces', namespaced: false },
    shortNames: ['ns'],
  });
  expect((await mapper.find('v1', 'Secret'))?.verbs).toContain('patch');
  expect(await mapper.find('v1', 'Deployment')).toBeUndefined();
  expect((await mapper.directory()).unavailable).toEqual([]);
});
