import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource } from '../../../src/api/index.ts';
import { impactFinding, type DeletionImpact } from '../../../src/cluster/index.ts';
import type { Connection, KubeClient } from '../../../src/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { apply, clientOf, deployment, findingsOf, manifest, remove, widget } from './helpers.ts';

const Namespace = externalResource({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});
const Crd = externalResource({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});
const Deployment = externalResource({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});
const Pod = externalResource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });
const ConfigMap = externalResource({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});

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

  test('tells before anything is deleted which custom resources go with their definition', async () => {
    const { crd, object, name } = widget(uniqueName('loss'), namespace);
    await apply(client, manifest(crd, object));
    const told: (readonly string[])[] = [];
    const stop = (impacts: readonly DeletionImpact[]): Promise<void> => {
      told.push(...impacts.map(({ objects }) => objects));
      return Promise.reject(new Error('no'));
    };
    await expect(remove(client, manifest(crd), { onImpact: stop })).rejects.toThrow('no');
    expect(told).toEqual([[`${namespace}/one`]]);
    expect(await client.find(Crd, { name })).toBeDefined();
    // What is deleted by itself is no loss.
    expect(await remove(client, manifest(crd, object), { onImpact: stop })).toHaveLength(2);
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

  test('counts custom resources though the webhook that converts them is gone; if it cannot, only force goes on', async () => {
    const { crd, object, name } = widget(uniqueName('dead'), namespace);
    await apply(client, manifest(crd, object));
    const [v1] = (crd as { spec: { versions: readonly object[] } }).spec.versions;
    const converted = (servesStored: boolean): object => ({
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { service: { name: 'none', namespace } },
          },
        },
        versions: [
          { ...v1, name: 'v2', storage: false },
          { ...v1, served: servesStored },
        ],
      },
    });
    await client.patch(Crd, { name }, { type: 'merge', body: converted(true) });
    const losses: string[] = [];
    const onImpact = (told: readonly DeletionImpact[]): Promise<void> => {
      losses.push(...told.flatMap(({ objects }) => objects));
      return Promise.resolve();
    };
    await remove(client, manifest(crd), { onImpact, dryRun: true });
    expect(losses).toEqual([`${namespace}/one`]);

    await client.patch(Crd, { name }, { type: 'merge', body: converted(false) });
    const dead = async (): Promise<string | undefined> =>
      (await findingsOf(remove(client, manifest(crd), { dryRun: true })).catch(() => []))[0]?.code;
    // The API server goes by the new definition in a moment.
    await eventually(async () => (await dead()) === 'cluster/webhook-failed', { timeout: 60_000 });
    const [finding] = await findingsOf(remove(client, manifest(crd)));
    expect(finding?.where).toEqual({ file: 'all.yaml', line: 1, column: 1 });
    expect(finding?.fix?.at(-1)).toContain('--force');
    expect((await client.get(Crd, { name })).metadata.deletionTimestamp).toBeUndefined();
    const title = `customresourcedefinition.apiextensions.k8s.io/${name}`;
    expect(await remove(client, manifest(crd), { force: true, timeout: undefined })).toEqual([
      `${title} deleted`,
    ]);
  });

  test('tells what is in a namespace besides the objects of the manifest', async () => {
    const name = uniqueName('shared');
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const settings = (each: string, more: object = {}): object => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: each, namespace: name, ...more },
    });
    const secret = (each: string, more: object = {}): object => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: each, namespace: name, ...more },
    });
    const ours = manifest(space, settings('ours'), deployment('web', name));
    await apply(client, ours);
    const [{ uid } = {}] = [(await client.get(ConfigMap, { name: 'ours', namespace: name })).metadata];
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'ours', uid };
    await apply(
      client,
      manifest(
        secret('password'),
        secret('certificate', { annotations: { 'cert-manager.io/certificate-name': 'web' } }),
        settings('theirs'),
        settings('owned', { ownerReferences: [owner] }),
        deployment('other', name),
      ),
    );
    const told: string[] = [];
    const onImpact = (impacts: readonly DeletionImpact[]): Promise<void> => {
      told.push(...impacts.map((impact) => impactFinding(impact).message));
      return Promise.resolve();
    };
    await remove(client, ours, { onImpact, dryRun: true });
    expect(told).toEqual([
      `namespace/${name}: 3 other objects will be deleted with it: configmap/theirs, deployment.apps/other, secret/password`,
    ]);
    await remove(client, ours, { onImpact });
    // Nothing is left to lose.
    expect(told).toHaveLength(2);
  });

  test('finds objects of every type in a namespace, and follows owners', async () => {
    const name = uniqueName('full');
    const at = { namespace: name };
    const kept = widget(uniqueName('kept'), name);
    const gone = widget(uniqueName('gone'), name);
    const wide = widget(uniqueName('wide'), name);
    const { spec } = wide.crd as { readonly spec: object };
    const clusterWide = { ...wide.crd, spec: { ...spec, scope: 'Cluster' } };
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await apply(client, manifest(space, kept.crd, gone.crd, clusterWide));
    const everywhere = { ...wide.object, metadata: { name: 'everywhere' } };
    await apply(client, manifest(everywhere, kept.object, gone.object));
    const type = externalResource({
      group: wide.group,
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      scope: 'Cluster',
    });
    const { uid } = (await client.get(type, { name: 'everywhere' })).metadata;
    const { apiVersion, kind } = type;
    const ownerReferences = [{ apiVersion, kind, name: 'everywhere', uid }];
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', rules: [] };
    await apply(
      client,
      manifest(
        { ...role, metadata: { name: 'reader', ...at } },
        { ...role, metadata: { name: 'of-everywhere', ...at, ownerReferences } },
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'web', ...at },
          spec: { ports: [{ port: 80 }] },
        },
        {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: 'web', ...at },
          spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
        },
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'leader', ...at } },
      ),
    );
    const told: string[] = [];
    const onImpact = (impacts: readonly DeletionImpact[]): Promise<void> => {
      told.push(...impacts.flatMap(({ objects, unread }) => [...objects, ...unread]));
      return Promise.resolve();
    };
    await remove(client, manifest(space, gone.crd), { onImpact, dryRun: true });
    const rest = [
      'ingress.networking.k8s.io/web',
      'role.rbac.authorization.k8s.io/reader',
      'service/web',
      `widget.${kept.group}/one`,
    ];
    // What is found through its definition is not named twice.
    expect([...told].sort()).toEqual(
      [...rest, `${name}/one`, 'role.rbac.authorization.k8s.io/of-everywhere'].sort(),
    );
    told.length = 0;
    // An owner that goes too takes its objects along.
    await remove(client, manifest(space, gone.object, everywhere), { onImpact, dryRun: true });
    expect([...told].sort()).toEqual(rest);
    await remove(client, manifest(space, kept.crd, gone.crd, clusterWide));
  });

  test('names what it may not list in a namespace', async () => {
    const as = uniqueName('cleaner');
    const name = uniqueName('dark');
    const api = 'rbac.authorization.k8s.io';
    const rules = [
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'delete'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
    ];
    const role = { apiVersion: `${api}/v1`, kind: 'ClusterRole', metadata: { name: as }, rules };
    const binding = {
      apiVersion: `${api}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: as },
      roleRef: { apiGroup: api, kind: 'ClusterRole', name: as },
      subjects: [{ apiGroup: api, kind: 'User', name: as }],
    };
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await apply(client, manifest(space, role, binding));
    const { kubeconfig } = await sharedControlPlane();
    const cleaner = await clientOf({ kubeconfig } as Awaited<ReturnType<typeof sharedControlPlane>>, { as });
    const told: DeletionImpact[] = [];
    const onImpact = (impacts: readonly DeletionImpact[]): Promise<void> => {
      told.push(...impacts);
      return Promise.resolve();
    };
    try {
      await eventually(
        () =>
          remove(cleaner, manifest(space), { onImpact, dryRun: true }).then(
            () => true,
            () => false,
          ),
        { timeout: 30_000 },
      );
      const [impact] = told;
      expect(impact?.objects).toEqual([]);
      expect(impact?.unread.join()).toMatch(/secrets/);
      expect(impact?.unread.join()).not.toMatch(/configmaps/);
      expect(told.map((each) => impactFinding(each, { refused: true }).message)).toEqual([
        expect.stringMatching(/^namespace\/\S+: what would be deleted with it could not be listed: /),
      ]);
    } finally {
      await cleaner.close();
      await remove(client, manifest(space, role, binding));
    }
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
