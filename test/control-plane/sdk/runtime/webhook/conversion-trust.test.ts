// Attacks on the data of conversions with a real API server: by a user who may write a kind in its older version, and not its status.
import { join } from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  defineConversion,
  defineResource,
  isForbidden,
  type CustomResource,
  type Resource,
} from '../../../../../src/index.ts';
import { Secret } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../../src/testing/index.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../../helpers/service-account.ts';
import { runManager, type RunningManager } from '../running-manager.ts';

const annotation = 'opsdk.dev/conversion-data';
const group = 'forge.example.com';

interface Body extends CustomResource {
  spec: Readonly<Record<string, unknown>>;
  status?: Readonly<Record<string, unknown>> | undefined;
}
const New = defineResource<Body>({ group, kind: 'Cup', version: 'v1', storage: true });
const Old = defineResource<Body>({ group, kind: 'Cup', version: 'v1alpha1' });
// The form of the guide: what both have passes whole.
const conversion = defineConversion(New).spoke(Old, {
  to: ({ spec, status }: Body) => ({ spec: { replicas: spec['size'] }, status: shown(status) }),
  from: ({ spec, status }: Body) => ({ spec: { size: spec['replicas'] }, status: shown(status) }),
});
const shown = (status: Body['status']) => status && { ready: status['ready'] };

const object = (properties: object): object => ({ type: 'object', properties });
const version = (name: string, spec: object) => ({
  ...{ name, served: true, storage: name === 'v1', subresources: { status: {} } },
  schema: {
    openAPIV3Schema: object({
      spec: object(spec),
      status: object({ ready: { type: 'integer' }, ...(name === 'v1' ? { phase: { type: 'string' } } : {}) }),
    }),
  },
});
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `cups.${group}` },
  spec: {
    ...{ group, scope: 'Namespaced', names: { plural: 'cups', kind: 'Cup' } },
    versions: [
      version('v1', {
        replicas: { type: 'integer', maximum: 5 },
        image: { type: 'string', pattern: '^registry' },
        note: { type: 'string' },
      }),
      version('v1alpha1', { size: { type: 'integer', maximum: 5 } }),
    ],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/convert' } },
        conversionReviewVersions: ['v1'],
      },
    },
  },
};

let folder: string;
let plane: ControlPlane;
let running: RunningManager;
let admin: KubeClient;
let mallory: KubeClient;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'opsdk-trust-'));
  writeFileSync(join(folder, 'crd.json'), JSON.stringify(definition));
  plane = await startControlPlane({ crds: [join(folder, 'crd.json')], webhooks: { paths: [] } });
  const { operatorKubeconfig: kubeconfig, webhooks } = plane;
  running = await runManager(
    { kubeconfig, webhooks: { ...webhooks, conversionKey: { secret: 'keys', namespace: 'default' } } },
    conversion,
  );
  await eventually(() => running.ports.webhooks !== undefined, { timeout: 60_000 });
  const cluster = await loadCluster(plane);
  admin = createClient({ cluster, fieldManager: 'admin' });
  const rules = [
    { apiGroups: [group], resources: ['cups'], verbs: ['get', 'list', 'create', 'update', 'patch'] },
  ];
  const token = await serviceAccountToken(admin, 'default', rules);
  const caCertificate = String((await cluster.tls()).ca);
  const file = join(folder, 'mallory.json');
  writeFileSync(file, tokenKubeconfig({ url: cluster.server.href, caCertificate }, token));
  mallory = createClient({ cluster: await loadCluster({ kubeconfig: file }), fieldManager: 'mallory' });
}, 180_000);
afterAll(async () => {
  await mallory?.close();
  await admin?.close();
  await running?.stop();
  await plane?.stop();
  rmSync(folder, { recursive: true });
});

const key = (name: string) => ({ name, namespace: 'default' });
const create = (client: KubeClient, kind: Resource<Body>, name: string, spec: object, text?: string) =>
  client.create(kind, {
    metadata: { ...key(name), ...(text === undefined ? {} : { annotations: { [annotation]: text } }) },
    spec,
  });
const read = (kind: Resource<Body>, name: string): Promise<Body> => admin.get(kind, key(name));
const textOf = ({ metadata }: Body): string => metadata.annotations?.[annotation] ?? '';
/** Writes the object in its older version with another annotation. */
const replay = async (name: string, text: string, size?: number): Promise<unknown> => {
  const now = await mallory.get(Old, key(name));
  const annotations = { ...now.metadata.annotations, [annotation]: text };
  const spec = size === undefined ? now.spec : { size };
  return mallory.update(Old, { ...now, spec, metadata: { ...now.metadata, annotations } });
};
/** An object with what only the newer version has. */
async function approved(name: string): Promise<void> {
  const made = await create(admin, New, name, { replicas: 1, image: 'registry/a', note: 'kept' });
  await admin.updateStatus(New, { ...made, status: { ready: 1, phase: 'Approved' } });
}
async function setPhase(name: string, phase: string): Promise<void> {
  await admin.updateStatus(New, { ...(await read(New, name)), status: { ready: 1, phase } });
}
const forged = JSON.stringify({
  v1: {
    was: { spec: { replicas: 1 } },
    is: { spec: { replicas: 999_999, image: 'evil/x', other: {} }, status: { phase: 'Approved', ready: 99 } },
  },
});

test('a forged annotation brings neither a status nor a spec that the schema forbids, in a create and in an update', async () => {
  await create(mallory, Old, 'forged', { size: 1 }, forged);
  expect(await read(New, 'forged')).toMatchObject({ spec: { replicas: 1 } });
  expect((await read(New, 'forged')).spec).toEqual({ replicas: 1 });
  expect((await read(New, 'forged')).status).toBeUndefined();
  await approved('updated');
  await replay('updated', forged, 2);
  const { spec, status } = await read(New, 'updated');
  expect(spec).toEqual({ replicas: 2 });
  expect(status).toEqual({ ready: 1, phase: 'Approved' });
  expect(running.lines.filter(({ msg }) => msg === 'Conversion data ignored').length).toBeGreaterThan(0);
});

test('an object with a forged annotation lets nobody else fail to list either version', async () => {
  const broken = JSON.stringify({ v1: { was: { spec: {} }, is: { spec: { replicas: { a: [1] } } } } });
  await create(mallory, Old, 'broken', { size: 1 }, broken);
  await create(admin, New, 'stored-with-it', { replicas: 1 }, broken.replace('v1', 'v1alpha1'));
  for (const kind of [Old, New]) expect((await admin.list(kind)).items.length).toBeGreaterThanOrEqual(2);
});

test('an older annotation of the same object does not bring back an older status', async () => {
  await approved('status');
  const old = textOf(await mallory.get(Old, key('status')));
  expect(old).toContain('Approved');
  await setPhase('status', 'Denied');
  await replay('status', old);
  expect((await read(New, 'status')).status).toEqual({ ready: 1, phase: 'Denied' });
  await replay('status', old, 3);
  expect(await read(New, 'status')).toMatchObject({
    spec: { replicas: 3, image: 'registry/a' },
    status: { phase: 'Denied' },
  });
});

test('an annotation of another object, or of a former one of the name, brings nothing', async () => {
  await approved('source');
  const text = textOf(await mallory.get(Old, key('source')));
  await create(mallory, Old, 'other', { size: 1 }, text);
  expect((await read(New, 'other')).spec).toEqual({ replicas: 1 });
  await admin.delete(New, key('source'));
  await create(mallory, Old, 'source', { size: 1 }, text);
  const again = await read(New, 'source');
  expect([again.spec, again.status]).toEqual([{ replicas: 1 }, undefined]);
});

test('an older annotation brings back an older spec at most: what its writer may write in the newer version, too', async () => {
  await approved('spec');
  const old = textOf(await mallory.get(Old, key('spec')));
  await admin.update(New, { ...(await read(New, 'spec')), spec: { replicas: 1, image: 'registry/b' } });
  await replay('spec', old);
  expect((await read(New, 'spec')).spec).toEqual({ replicas: 1, image: 'registry/a', note: 'kept' });
});

test('clients of the older version lose nothing, whatever way they write', async () => {
  await approved('honest');
  const whole = { image: 'registry/a', note: 'kept' };
  const expectWhole = async (replicas: number, ready = 1): Promise<void> => {
    const { spec, status } = await read(New, 'honest');
    expect([spec, status]).toEqual([
      { ...whole, replicas },
      { ready, phase: 'Approved' },
    ]);
  };
  await mallory.update(Old, { ...(await mallory.get(Old, key('honest'))), spec: { size: 2 } });
  await expectWhole(2);
  await mallory.patch(Old, key('honest'), { type: 'merge', body: { spec: { size: 3 } } });
  await expectWhole(3);
  await mallory.apply(Old, { metadata: key('honest'), spec: { size: 4 } });
  await expectWhole(4);
  await admin.updateStatus(Old, { ...(await read(Old, 'honest')), status: { ready: 2 } });
  await expectWhole(4, 2);
  const refused = await mallory.updateStatus(Old, await read(Old, 'honest')).catch((error: unknown) => error);
  expect(isForbidden(refused)).toBe(true);
});

test('a status that is applied in the newer version counts, though others have applied it in the older one', async () => {
  await approved('applied');
  const as = { fieldManager: 'one' };
  const status = (kind: Resource<Body>, value: object): Promise<unknown> =>
    admin.applyStatus(kind, key('applied'), value, as);
  await status(Old, { ready: 3 });
  await status(New, { ready: 3, phase: 'Denied' });
  expect((await read(New, 'applied')).status).toEqual({ ready: 3, phase: 'Denied' });
});

test('the key is in one Secret, which is written again as it was when it is deleted', async () => {
  const { data } = await admin.get(Secret, key('keys'));
  expect(Object.keys(data ?? {})).toEqual([expect.stringMatching(/^key-\d+-[0-9a-f]{8}$/)]);
  await admin.delete(Secret, key('keys'));
  await eventually(async () => expect((await admin.get(Secret, key('keys'))).data).toEqual(data), {
    timeout: 60_000,
  });
});
