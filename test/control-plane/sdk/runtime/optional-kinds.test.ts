// A kind behind `ifServed` may come, go and come again while the operator runs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  defineController,
  defineResource,
  ifServed,
  ownedBy,
  type CustomResource,
} from '../../../../src/index.ts';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { get, runManager } from './running-manager.ts';
import { slow } from './site-controller.ts';

interface Monitor extends CustomResource {
  spec?: { port?: string };
}

const group = `${uniqueName()}.example.com`;
const Monitor = defineResource<Monitor>({ group, version: 'v1', kind: 'Monitor' });
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `monitors.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Monitor', plural: 'monitors' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};

let plane: SharedControlPlane;
let server: KubeClient;
beforeAll(async () => {
  plane = await sharedControlPlane();
  server = createClient({ cluster: await loadCluster(plane), fieldManager: 'test' });
});
afterAll(() => server.close());

test('an operator is ready without the kind, uses it once it is served, and again after it was deleted', async () => {
  const namespace = await uniqueNamespace(plane);
  const key = { name: 'web', namespace };
  const seen: string[] = [];
  await server.create(ConfigMap, { metadata: key });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    defineController({
      for: ConfigMap,
      predicates: [({ object }) => object.metadata.name === key.name],
      owns: [ifServed(Monitor)],
      async reconcile(map, { client }) {
        const isServed = client.isServed(Monitor);
        const items = (await client.list(Monitor)).items.length;
        seen.push(isServed ? 'served' : `absent, ${items} cached`);
        if (isServed) await client.apply(Monitor, { metadata: { name: 'web', ...ownedBy(map) } });
      },
    }),
  );
  const found = async () => server.find(Monitor, key).catch(() => undefined);
  const comes = async (): Promise<void> => {
    await server.raw.request({ method: 'POST', path: definitions, body: crd });
    await eventually(async () => (await found()) !== undefined, slow);
  };
  await eventually(() => seen.length > 0, slow);
  expect(await get(running.ports.health, '/readyz')).toMatchObject({ status: 200 });
  expect(seen).toEqual(['absent, 0 cached']);
  await comes();
  await server.delete(Monitor, key);
  await eventually(async () => (await found()) !== undefined, slow);

  seen.splice(0);
  await server.raw.request({ method: 'DELETE', path: `${definitions}/${crd.metadata.name}` });
  await eventually(() => seen.at(-1) === 'absent, 0 cached', slow);
  expect(await get(running.ports.health, '/readyz')).toMatchObject({ status: 200 });
  await comes();
  const told = running.lines.filter(({ resource }) => resource === `monitors.v1.${group}`);
  expect(told.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  expect(told.map(({ msg }) => msg).filter((msg) => msg !== 'Failed to list and watch')).toEqual([
    'Kind not served; going on without it',
    'Listing and watching again',
    'Kind not served; going on without it',
    'Listing and watching again',
  ]);
});
