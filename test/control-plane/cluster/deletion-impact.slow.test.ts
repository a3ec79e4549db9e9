import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import { impactFinding, type DeletionImpact } from '../../../src/cluster/index.ts';
import { Endpoints } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { apply, clientOf, deployment, findingsOf, manifest, remove, widget } from './helpers.ts';
import { Crd, ConfigMap } from './kinds.ts';

let client: KubeClient;

let namespace: string;

beforeAll(async () => {
  const plane = await sharedControlPlane();
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'remove');
});

afterAll(() => client.close());

describe('what a deletion takes along', () => {
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

  test('says nothing of types that are deprecated, of which the API server warns', async () => {
    const warnings: string[] = [];
    const listening = await clientOf(await sharedControlPlane(), {
      onWarning: (text) => warnings.push(text),
    });
    try {
      const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: uniqueName('old') } };
      await apply(listening, manifest(space));
      await remove(listening, manifest(space), { onImpact: () => Promise.resolve(), dryRun: true });
      const { crd } = widget(uniqueName('old'), 'default');
      const { spec } = crd as { readonly spec: { readonly versions: readonly object[] } };
      const versions = spec.versions.map((version) => ({ ...version, deprecated: true }));
      await apply(listening, manifest({ ...crd, spec: { ...spec, versions } }));
      await remove(listening, manifest(crd), { onImpact: () => Promise.resolve() });
      expect(warnings).toEqual([]);
      // What the user names is another matter.
      await listening.list(Endpoints);
      expect(warnings).toEqual([expect.stringContaining('v1 Endpoints is deprecated')]);
    } finally {
      await listening.close();
    }
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
});
