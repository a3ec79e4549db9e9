import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import type { Connection, KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { apply, clientOf, deployment, findingsOf, manifest, remove, widget } from './helpers.ts';
import { Namespace, Crd, Deployment, Pod, ConfigMap } from './kinds.ts';

let client: KubeClient;

let namespace: string;

beforeAll(async () => {
  const plane = await sharedControlPlane();
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'remove');
});

afterAll(() => client.close());

describe('deleting', () => {
  test('removes custom resources and definitions first, the rest in reverse, and waits until all is gone', async () => {
    const unique = uniqueName('undo');
    const { crd, object, name } = widget(unique, unique);
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: unique } };
    const account = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'runner', namespace: unique },
    };
    const objects = manifest(space, crd, account, deployment('web', unique), object);
    await apply(client, objects);
    const titles = [
      `widget.${unique}.example.com/one`,
      `customresourcedefinition.apiextensions.k8s.io/${name}`,
      'deployment.apps/web',
      'serviceaccount/runner',
      `namespace/${unique}`,
    ];
    expect(await remove(client, objects, { dryRun: true })).toEqual(
      titles.map((title) => `${title} deleted`),
    );
    expect(await client.find(Crd, { name })).toBeDefined();
    expect(await remove(client, objects)).toEqual(titles.map((title) => `${title} deleted`));
    expect(await client.find(Namespace, { name: unique })).toBeUndefined();
    expect(await client.find(Crd, { name })).toBeUndefined();
    const again = await remove(client, objects);
    expect([...again].sort()).toEqual(titles.map((title) => `${title} not-found`).sort());
  });

  test('refuses while custom resources have finalizers, and goes on by force', async () => {
    const unique = uniqueName('held');
    const { crd, object, name, group } = widget(unique, namespace);
    const held = { ...object, metadata: { name: 'one', namespace, finalizers: [`${group}/cleanup`] } };
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: unique, namespace } };
    await apply(client, manifest(crd, held, settings));
    const objects = manifest(crd, settings);
    const findings = await findingsOf(remove(client, objects));
    expect(findings).toEqual([
      expect.objectContaining({
        code: 'cluster/finalizers',
        message: `customresourcedefinition.apiextensions.k8s.io/${name}: 1 custom resource with finalizers: ${namespace}/one (${group}/cleanup)`,
        where: { file: 'all.yaml', line: 1, column: 1 },
      }),
    ]);
    expect(await client.find(Crd, { name })).not.toHaveProperty('metadata.deletionTimestamp');

    const [stays, ...others] = await findingsOf(remove(client, objects, { force: true, timeout: 2_000 }));
    expect(others).toEqual([]);
    expect(stays?.code).toBe('cluster/not-deleted');
    expect(stays?.message).toContain('is not gone after 2s; ');
    // By force the rest goes nevertheless.
    expect(await client.find(ConfigMap, { name: unique, namespace })).toBeUndefined();
    const type = externalResource({
      group,
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      scope: 'Namespaced',
    });
    await client.patch(
      type,
      { name: 'one', namespace },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await remove(client, objects);
    expect(await client.find(Crd, { name })).toBeUndefined();
  });

  test('without waiting, what is in the manifest is held by its finalizers too', async () => {
    const unique = uniqueName('hasty');
    const { crd, object, group, name } = widget(unique, namespace);
    const held = { ...object, metadata: { name: 'one', namespace, finalizers: [`${group}/cleanup`] } };
    const objects = manifest(crd, held);
    await apply(client, objects);
    const [finding] = await findingsOf(remove(client, objects, { timeout: undefined }));
    expect(finding?.code).toBe('cluster/finalizers');
    const type = externalResource({
      group,
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      scope: 'Namespaced',
    });
    const one = await client.get(type, { name: 'one', namespace });
    expect(one.metadata.deletionTimestamp).toBeUndefined();
    const body = { metadata: { finalizers: null } };
    await client.patch(type, { name: 'one', namespace }, { type: 'merge', body });
    await remove(client, objects, { timeout: undefined });
    expect((await client.find(Crd, { name }))?.metadata.deletionTimestamp ?? 'gone').toBeTruthy();
  });

  test('leaves the operator alone while it has custom resources to finish', async () => {
    const unique = uniqueName('busy');
    const { crd, object, group, name } = widget(unique, namespace);
    const held = { ...object, metadata: { name: 'one', namespace, finalizers: [`${group}/cleanup`] } };
    const objects = manifest(crd, held, deployment(unique, namespace));
    await apply(client, objects);
    const findings = await findingsOf(remove(client, objects, { timeout: 100 }));
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      [
        'cluster/not-deleted',
        `widget.${group}/one is not gone after 100ms; it has the finalizers ${group}/cleanup`,
      ],
    ]);
    const type = externalResource({
      group,
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      scope: 'Namespaced',
    });
    expect((await client.get(Crd, { name })).metadata.deletionTimestamp).toBeUndefined();
    expect(await client.find(Deployment, { name: unique, namespace })).toBeDefined();
    const body = { metadata: { finalizers: null } };
    await client.patch(type, { name: 'one', namespace }, { type: 'merge', body });
    expect(await remove(client, objects)).toEqual([
      `widget.${group}/one not-found`,
      `customresourcedefinition.apiextensions.k8s.io/${name} deleted`,
      `deployment.apps/${unique} deleted`,
    ]);
    // Its ReplicaSets and Pods go with it.
    await eventually(
      async () => (await client.list(Pod, { namespace, labelSelector: `app=${unique}` })).items.length === 0,
      { timeout: 60_000 },
    );
  });

  test('does not delete what has taken the place of an object since it looked', async () => {
    const name = uniqueName('again');
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
    await apply(client, manifest(settings));
    const { connection } = client;
    const request: Connection['request'] = async (call) => {
      if (call.method === 'DELETE') {
        await client.delete(ConfigMap, { name, namespace });
        await client.create(ConfigMap, { metadata: { name, namespace } });
      }
      return connection.request(call);
    };
    const raced = Object.create(client, {
      connection: { value: { cluster: connection.cluster, request } },
    }) as KubeClient;
    const [finding] = await findingsOf(remove(raced, manifest(settings)));
    expect(finding?.code).toBe('cluster/refused');
    expect(finding?.fix).toEqual([expect.stringContaining('run it again')]);
    expect(await client.find(ConfigMap, { name, namespace })).toBeDefined();
  });

  test('finds objects in another version than that of the manifest, which is no longer served', async () => {
    const { crd, object, group } = widget(uniqueName('old'), namespace);
    await apply(client, manifest(crd, object));
    const old = { ...object, apiVersion: `${group}/v1alpha1` };
    const title = `widget.${group}/one`;
    expect(await remove(client, manifest(old))).toEqual([`${title} deleted`]);
    expect(await remove(client, manifest(old))).toEqual([`${title} not-found`]);
    await remove(client, manifest(crd));
  });

  test('does not wait if it is not asked to, and says what holds an object', async () => {
    const name = uniqueName('hold');
    const held = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, finalizers: ['example.com/hold'] },
    };
    await apply(client, manifest(held));
    expect(await remove(client, manifest(held), { timeout: undefined })).toEqual([
      `configmap/${name} deleted`,
    ]);
    const [finding] = await findingsOf(remove(client, manifest(held), { timeout: 100 }));
    expect(finding).toMatchObject({
      code: 'cluster/not-deleted',
      message: `configmap/${name} is not gone after 100ms; it has the finalizers example.com/hold`,
    });
    await client.patch(
      ConfigMap,
      { name, namespace },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
  });

  test('of kinds that the cluster does not know there is nothing to delete', async () => {
    const unknown = {
      apiVersion: 'nobody.example.com/v1',
      kind: 'Nothing',
      metadata: { name: 'x', namespace },
    };
    expect(await remove(client, manifest(unknown))).toEqual(['nothing.nobody.example.com/x not-found']);
  });
});
