// `kubectl apply` without --server-side, as it writes objects: with its field manager, and the manifest in an annotation.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/sdk/api/index.ts';
import type { Finding } from '../../../src/base/errors/index.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { diffObjects, type ObjectOutcome } from '../../../src/cluster/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { apply, clientOf, deployment, manifest } from './helpers.ts';
import { ConfigMap, Deployment } from './kinds.ts';

const manager = 'kubectl-client-side-apply';
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

let client: KubeClient;
let kubectl: KubeClient;
let kubeconfig: string;
let namespace: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  kubeconfig = plane.kubeconfig;
  client = await clientOf(plane);
  kubectl = await clientOf(plane, { fieldManager: manager });
  namespace = await uniqueNamespace(plane, 'client-side');
});
afterAll(async () => {
  await client.close();
  await kubectl.close();
});

const configMap = (name: string, data: Record<string, string>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

function withAnnotation<T extends object>(object: T): T {
  const { metadata } = object as unknown as KubeObject;
  return {
    ...object,
    metadata: { ...metadata, annotations: { [annotation]: JSON.stringify(object) } },
  };
}

const managersOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata.managedFields ?? []).map((entry) => `${entry.manager ?? ''} ${entry.operation ?? ''}`);

/** Applies, and gives what was told. */
async function outcomes(
  objects: readonly object[],
  options: { readonly dryRun?: boolean; readonly through?: KubeClient } = {},
): Promise<{ readonly told: readonly ObjectOutcome[]; readonly warnings: readonly Finding[] }> {
  const told: ObjectOutcome[] = [];
  const warnings: Finding[] = [];
  await apply(options.through ?? client, manifest(...objects), {
    dryRun: options.dryRun,
    onOutcome: (outcome) => told.push(outcome),
    onWarning: (warning) => warnings.push(warning),
  });
  return { told, warnings };
}

test('its fields are taken over once: what the manifest does not have is removed, and nobody is warned', async () => {
  const name = uniqueName();
  await kubectl.create(ConfigMap, withAnnotation(configMap(name, { a: 'old', b: 'kept', c: 'gone' })));
  const wanted = configMap(name, { a: 'new', b: 'kept' });
  const planned = await outcomes([wanted], { dryRun: true });
  expect(planned.warnings).toEqual([]);
  expect(planned.told).toMatchObject([
    {
      action: 'configured',
      takesOver: [manager],
      changes: [
        { path: '.data.a', before: 'old', after: 'new' },
        { path: '.data.c', before: 'gone' },
      ],
    },
  ]);
  const [difference] = await diffObjects({ client, objects: manifest(wanted) });
  expect(difference).toMatchObject({ action: 'changed', takesOver: [manager] });
  expect(managersOf(await client.get(ConfigMap, { name, namespace }))).toEqual([`${manager} Update`]);

  const first = await outcomes([wanted]);
  expect(first.warnings).toEqual([]);
  expect(first.told).toMatchObject([{ action: 'configured', takesOver: [manager] }]);
  const live = await client.get(ConfigMap, { name, namespace });
  expect(live.data).toEqual({ a: 'new', b: 'kept' });
  expect(live.metadata.annotations).toBeUndefined();
  expect(managersOf(live)).toEqual(['op-sdk Apply']);

  const second = await outcomes([wanted]);
  expect(second.told).toMatchObject([{ action: 'unchanged' }]);
  expect(second.told[0]).not.toHaveProperty('takesOver');
  await outcomes([configMap(name, { a: 'new' })]);
  expect((await client.get(ConfigMap, { name, namespace })).data).toEqual({ a: 'new' });
});

test('an object that is as the manifest says is taken over, too, also if op-sdk has applied it before', async () => {
  const name = uniqueName();
  const wanted = configMap(name, { a: '1' });
  await kubectl.create(ConfigMap, withAnnotation(wanted));
  // As a release of op-sdk that took nothing over has left it.
  await client.apply(ConfigMap, wanted);
  const planned = await outcomes([wanted], { dryRun: true });
  expect(planned.told).toMatchObject([{ action: 'configured', takesOver: [manager], changes: [] }]);
  expect((await outcomes([wanted])).told).toMatchObject([{ action: 'configured', takesOver: [manager] }]);
  const live = await client.get(ConfigMap, { name, namespace });
  expect(managersOf(live)).toEqual(['op-sdk Apply']);
  expect(live.data).toEqual({ a: '1' });
});

test('a dry run shows the defaults that come back, and what others have set stays', async () => {
  const name = uniqueName();
  const replicas = { replicas: 3, minReadySeconds: 7 };
  await kubectl.create(Deployment, withAnnotation(deployment(name, namespace, replicas) as Deployment));
  const other = await clientOf(await sharedControlPlane(), { fieldManager: 'somebody' });
  await other.apply(Deployment, { metadata: { name, namespace, labels: { theirs: 'yes' } } });
  await other.close();
  // The control plane sets a default of its own where the manifest says nothing.
  const { spec, ...rest } = deployment(name, namespace) as { readonly spec: object };
  const { replicas: _replicas, ...bare } = spec as { readonly replicas: number };
  const wanted = { ...rest, spec: bare };
  const planned = await outcomes([wanted], { dryRun: true });
  const shown = planned.told[0]?.changes?.filter(({ path }) => path.startsWith('.spec'));
  expect(shown).toEqual([
    { path: '.spec.replicas', before: 3, after: 1 },
    { path: '.spec.minReadySeconds', before: 7 },
  ]);
  await outcomes([wanted]);
  const live = await client.get(Deployment, { name, namespace });
  expect(live.spec?.replicas).toBe(1);
  expect(live.spec?.minReadySeconds).toBeUndefined();
  expect(live.metadata.labels).toEqual({ theirs: 'yes' });
});

test('what is written meanwhile is read again before fields are taken over', async () => {
  const name = uniqueName();
  await kubectl.create(ConfigMap, withAnnotation(configMap(name, { a: '1', gone: '1' })));
  let written = 0;
  const patch: KubeClient['patch'] = async (resource, key, change, options) => {
    if (change.type === 'json' && written < 2) {
      written += 1;
      const body = { metadata: { annotations: { [`example.com/${written}`]: 'yes' } } };
      await kubectl.patch(ConfigMap, key, { type: 'merge', body });
    }
    return client.patch(resource, key, change, options);
  };
  const raced = Object.create(client, { patch: { value: patch } }) as KubeClient;
  await outcomes([configMap(name, { a: '1' })], { through: raced });
  expect(written).toBe(2);
  const live = await client.get(ConfigMap, { name, namespace });
  expect(live.data).toEqual({ a: '1' });
  expect(managersOf(live)).toEqual(['op-sdk Apply']);
});

test('the command says so once for each object', async () => {
  const name = uniqueName();
  await kubectl.create(ConfigMap, withAnnotation(configMap(name, { a: '1' })));
  const deploy = (...flags: readonly string[]) =>
    runCli(['deploy', '-f', '-', '--no-wait', '--kubeconfig', kubeconfig, ...flags], {
      stdin: JSON.stringify(configMap(name, { a: '1' })),
    });
  const line = `  takes over the fields of ${manager}\n`;
  const dry = `configmap/${name} configured (server dry run)\n${line}`;
  expect(await deploy('--dry-run')).toEqual({ code: 0, stdout: dry, stderr: '' });
  expect(await deploy()).toEqual({ code: 0, stdout: `configmap/${name} configured\n${line}`, stderr: '' });
  expect(await deploy()).toEqual({ code: 0, stdout: `configmap/${name} unchanged\n`, stderr: '' });
});
