// `run bundle`, `run bundle-upgrade` and `cleanup` on the real API server with the definitions of OLM's releases; a stand-in plays OLM.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { CustomResourceDefinition } from '../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ClusterRole, ClusterRoleBinding } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  Subscription,
} from '../../../../src/olm/run/run-names.ts';
import { eventually } from '../../../../src/testing/index.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';
import { setStatus } from '../stand-in.ts';
import { demoBundle } from './demo-bundle.ts';
import { playOlmV0 } from './olm-v0.ts';
import { playOlmV1 } from './olm-v1.ts';
import { hasOlm, startSite, type Site } from './site.ts';

describe.skipIf(!hasOlm)('OLM v0', () => {
  let site: Site;
  let olm: AsyncDisposable;
  beforeAll(async () => {
    site = await startSite('v0');
    olm = playOlmV0(site.client);
  }, 180_000);
  afterAll(async () => {
    await olm?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  test('AS9.4, AS9.5: installs a folder, upgrades it, and leaves nothing behind', async () => {
    const namespace = await site.namespace('web');
    const before = await site.everything();
    const repository = `${site.registry.host}/team/web-bundle`;
    const installed = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('web', '0.1.0'))],
      ...['-n', namespace, '--push-to', repository],
    ]);
    expect(installed.code, installed.stderr).toBe(0);
    expect(installed.stdout).toContain('OLM v0 has installed web.v0.1.0');
    expect(installed.stderr).toContain('approved the InstallPlan install-web-v0-1-0');

    const source: Loose = await site.client.get(CatalogSource, { name: 'web-catalog', namespace });
    expect(source.spec).toEqual({
      sourceType: 'grpc',
      image: expect.stringMatching(new RegExp(`^${repository}@sha256:[0-9a-f]{64}$`)),
      displayName: 'web',
      publisher: 'op-sdk',
      grpcPodConfig: { securityContextConfig: 'restricted', extractContent: { catalogDir: '/configs' } },
    });
    const subscription: Loose = await site.client.get(Subscription, { name: 'web-v0-1-0-sub', namespace });
    expect(subscription.spec).toEqual({
      channel: 'operator-sdk-run-bundle',
      installPlanApproval: 'Manual',
      name: 'web',
      source: 'web-catalog',
      sourceNamespace: namespace,
      startingCSV: 'web.v0.1.0',
    });
    const group: Loose = await site.client.get(OperatorGroup, { name: 'operator-sdk-og', namespace });
    expect(group.spec.targetNamespaces).toBeUndefined();

    const again = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('web', '0.1.0'))],
      ...['-n', namespace, '--push-to', repository],
    ]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('olm/already-installed');

    for (const [version, code] of [
      ['0.1.0', 'olm/not-newer'],
      ['0.0.9', 'olm/not-newer'],
    ]) {
      const back = await site.cli([
        ...['run', 'bundle-upgrade', site.folderOf(demoBundle('web', version ?? ''))],
        ...['-n', namespace, '--push-to', repository],
      ]);
      expect(back.code).toBe(1);
      expect(back.stderr).toContain(code);
    }

    const upgraded = await site.cli([
      ...['run', 'bundle-upgrade', site.folderOf(demoBundle('web', '0.2.0'))],
      ...['-n', namespace, '--push-to', repository, '-o', 'json'],
    ]);
    expect(upgraded.code, upgraded.stderr).toBe(0);
    expect(JSON.parse(upgraded.stdout).result).toMatchObject({ name: 'web.v0.2.0', olm: 'v0', namespace });
    const deployment: Loose = await site.client.get(Deployment, { name: 'web', namespace });
    expect(deployment.spec.template.spec.containers[0].image).toBe('example.com/web:0.2.0');

    const cleaned = await site.cli([
      ...['cleanup', 'web', '-n', namespace, '--delete-crds', '--delete-operator-groups', '--yes'],
    ]);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    expect(cleaned.stdout).toContain('clusterrole.rbac.authorization.k8s.io/web-viewer deleted');
    await eventually(async () => expect(await site.everything()).toEqual(before), { timeout: 60_000 });

    const twice = await site.cli(['cleanup', 'web', '-n', namespace]);
    expect(twice.code).toBe(1);
    expect(twice.stderr).toContain('olm/package-not-installed');
  });

  test('keeps definitions and custom resources without --delete-crds, and asks before they are lost', async () => {
    const namespace = await site.namespace('kept');
    const installed = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('kept', '0.1.0'))],
      ...['-n', namespace, '--push-to', `${site.registry.host}/team/kept`],
    ]);
    expect(installed.code, installed.stderr).toBe(0);
    const type = await site.client.resourceOf({ apiVersion: 'kept.example.com/v1', kind: 'Site' });
    await site.client.create(type, { metadata: { name: 'mine', namespace } });

    const refused = await site.cli(['cleanup', 'kept', '-n', namespace, '--delete-all']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('this deletes 1 custom resource: Site kept/mine');
    await site.client.get(ClusterServiceVersion, { name: 'kept.v0.1.0', namespace });

    const cleaned = await site.cli(['cleanup', 'kept', '-n', namespace]);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    expect(cleaned.stderr).toContain(
      'kept  CustomResourceDefinition/sites.kept.example.com (--delete-crds deletes it)',
    );
    expect(cleaned.stderr).toContain('kept  OperatorGroup/operator-sdk-og');
    await site.client.get(type, { name: 'mine', namespace });
  });

  test('deletes what OLM has left of former versions, and nothing of other installations', async () => {
    const namespace = await site.namespace('former');
    const elsewhere = await site.namespace('former-elsewhere');
    for (const [name, version, place] of [
      ['former', '0.3.0', namespace],
      ['shared-former', '0.2.0', elsewhere],
    ] as const) {
      const { csv } = demoBundle(name, version);
      const labels = { [`operators.coreos.com/${name}.${place}`]: '' };
      await site.client.create(ClusterServiceVersion, {
        ...csv,
        metadata: { name: csv.metadata.name, namespace: place, labels },
      });
    }
    for (const [name, owner] of [
      ['former-dropped', 'former.v0.1.0'],
      ['former-needed', 'shared-former.v0.1.0'],
      ['former-other', 'other.v0.1.0'],
    ] as const) {
      const labels = { 'olm.managed': 'true', 'olm.owner': owner };
      await site.client.create(ClusterRole, { metadata: { name, labels }, rules: [] });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
      await site.client.create(ClusterRoleBinding, { metadata: { name, labels }, roleRef, subjects: [] });
    }
    const cleaned = await site.cli(['cleanup', 'former', '-n', namespace, '--yes']);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    for (const type of [ClusterRole, ClusterRoleBinding]) {
      const { items } = await site.client.list(type, { labelSelector: 'olm.managed=true' });
      const names = items.map(({ metadata }) => metadata.name ?? '');
      expect(names.filter((name) => /^former-/.test(name)).sort()).toEqual(['former-needed', 'former-other']);
    }
  });

  test('keeps what the operator depends on, which its InstallPlan has installed too', async () => {
    const namespace = await site.namespace('needs');
    const subscriptions = await Promise.all(
      ['needs', 'needed'].map((name) =>
        site.client.create(Subscription, {
          metadata: { name, namespace },
          spec: { name, source: 'absent', sourceNamespace: namespace },
        } as unknown as KubeObject),
      ),
    );
    for (const name of ['needs', 'needed']) {
      const { csv } = demoBundle(name, '0.1.0');
      const labels = { [`operators.coreos.com/${name}.${namespace}`]: '' };
      await site.client.create(ClusterServiceVersion, {
        ...csv,
        metadata: { name: csv.metadata.name, namespace, labels },
      });
    }
    const ownerReferences = subscriptions.slice(0, 1).map(({ apiVersion, kind, metadata }) => ({
      ...{ apiVersion, kind },
      name: metadata.name ?? '',
      uid: metadata.uid ?? '',
    }));
    await site.client.create(InstallPlan, {
      metadata: { name: 'install-both', namespace, ownerReferences },
      spec: {
        approval: 'Manual',
        approved: false,
        clusterServiceVersionNames: ['needs.v0.1.0', 'needed.v0.1.0'],
      },
    } as unknown as KubeObject);
    const cleaned = await site.cli(['cleanup', 'needs', '-n', namespace, '--delete-all', '--yes']);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    for (const [type, left] of [
      [ClusterServiceVersion, ['needed.v0.1.0']],
      [Subscription, ['needed']],
      [InstallPlan, []],
    ] as const) {
      const { items } = await site.client.list(type, { namespace });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(left);
    }
  });

  test('asks before custom resources are lost whose kind comes while it deletes', async () => {
    const namespace = await site.namespace('late');
    const { csv, crd } = demoBundle('late', '0.1.0');
    await site.client.create(CustomResourceDefinition, crd);
    const type = await eventually(() =>
      site.client.resourceOf({ apiVersion: 'late.example.com/v1', kind: 'Site' }),
    );
    await site.client.create(type, { metadata: { name: 'mine', namespace } });
    const key = { name: 'late', namespace };
    const subscription = await site.client.create(Subscription, {
      metadata: { ...key, finalizers: ['example.com/test'] },
      spec: { name: 'late', source: 'absent', sourceNamespace: namespace },
    } as unknown as KubeObject);
    await setStatus(site.client, Subscription, subscription, {
      currentCSV: 'late.v0.1.0',
      lastUpdated: '2026-01-01T00:00:00Z',
    });
    const cleaning = site.cli(['cleanup', 'late', '-n', namespace, '--delete-all']);
    await eventually(
      async () => {
        const { metadata } = await site.client.get(Subscription, key);
        expect(metadata.deletionTimestamp).toBeDefined();
      },
      { timeout: 60_000 },
    );
    await site.client.create(ClusterServiceVersion, {
      ...csv,
      metadata: { name: csv.metadata.name, namespace },
    });
    await site.client.patch(Subscription, key, { type: 'merge', body: { metadata: { finalizers: null } } });
    const refused = await cleaning;
    expect(refused.code, refused.stderr).toBe(1);
    expect(refused.stderr).toContain('this deletes 1 custom resource: Site late/mine');
    await site.client.get(type, { name: 'mine', namespace });
    await site.client.get(ClusterServiceVersion, { name: 'late.v0.1.0', namespace });
  });

  test.each([
    ['AllNamespaces', undefined],
    ['OwnNamespace', ['modes-ownnamespace']],
    ['SingleNamespace=default', ['default']],
    ['MultiNamespace=default,kube-system', ['default', 'kube-system']],
  ])('creates the OperatorGroup of %s', async (mode, targets) => {
    const name = `modes-${mode.split('=')[0]?.toLowerCase()}`;
    const namespace = await site.namespace(name);
    const { code, stderr } = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle(name, '0.1.0'))],
      ...['-n', namespace, '--push-to', `${site.registry.host}/team/${name}`, '--install-mode', mode],
    ]);
    expect(code, stderr).toBe(0);
    const group: Loose = await site.client.get(OperatorGroup, { name: 'operator-sdk-og', namespace });
    expect(group.spec.targetNamespaces).toEqual(targets);
  });

  test('refuses what OLM would wait for without a word, before anything is pushed', async () => {
    const namespace = await site.namespace('groups');
    const pushes = () => site.registry.lines(/^PUT/).length;
    const before = pushes();
    const run = () =>
      site.cli([
        ...['run', 'bundle', site.folderOf(demoBundle('groups', '0.1.0')), '-n', namespace],
        ...['--push-to', `${site.registry.host}/team/groups`, '--install-mode', 'OwnNamespace'],
      ]);
    const group = (name: string) => ({ metadata: { name, namespace }, spec: {} }) as unknown as KubeObject;
    await site.client.create(OperatorGroup, group('all'));
    expect((await run()).stderr).toContain(
      'the OperatorGroup all of the namespace groups has the install mode AllNamespaces',
    );
    await site.client.create(OperatorGroup, group('second'));
    expect((await run()).stderr).toContain('olm/two-operator-groups');
    const absent = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('groups', '0.1.0')), '-n', 'absent'],
      ...['--push-to', `${site.registry.host}/team/groups`],
    ]);
    expect(absent.stderr).toContain('the namespace absent does not exist');
    expect(pushes()).toBe(before);
  });

  test('leaves a catalogue of others alone', async () => {
    const namespace = await site.namespace('foreign');
    await site.client.create(CatalogSource, {
      metadata: { name: 'foreign-catalog', namespace },
      spec: { sourceType: 'grpc', image: 'example.com/catalog:1' },
    } as unknown as KubeObject);
    const { code, stderr } = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('foreign', '0.1.0')), '-n', namespace],
      ...['--push-to', `${site.registry.host}/team/foreign`],
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('olm/name-taken');
  });
});

describe.skipIf(!hasOlm)('OLM v1', () => {
  let site: Site;
  let olm: AsyncDisposable;
  beforeAll(async () => {
    site = await startSite('v1');
    olm = playOlmV1(site.client);
  }, 180_000);
  afterAll(async () => {
    await olm?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  test('installs an image, upgrades it, and leaves nothing behind', async () => {
    const namespace = await site.namespace('web');
    const before = await site.everything();
    const repository = `${site.registry.host}/team/web-bundle`;
    const { code, stderr } = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('web', '0.1.0'))],
      ...['-n', namespace, '--push-to', repository],
    ]);
    expect(code, stderr).toBe(0);
    const catalog: Loose = await site.client.get(ClusterCatalog, { name: 'web-catalog' });
    expect(catalog.spec.source).toEqual({
      type: 'Image',
      image: { ref: expect.stringMatching(new RegExp(`^${repository}@sha256:`)) },
    });
    const extension: Loose = await site.client.get(ClusterExtension, { name: 'web' });
    expect(extension.spec).toEqual({
      namespace,
      source: {
        sourceType: 'Catalog',
        catalog: {
          packageName: 'web',
          channels: ['operator-sdk-run-bundle'],
          version: '0.1.0',
          upgradeConstraintPolicy: 'CatalogProvided',
          selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': 'web-catalog' } },
        },
      },
    });

    // The image of the second version is there already.
    const second = site.folderOf(demoBundle('web', '0.2.0'));
    const tag = `${repository}:v0.2.0`;
    expect(
      (await site.cli(['bundle', 'build', second, '--tag', tag, '--to', `oci:${second}/../dist`])).code,
    ).toBe(0);
    expect((await site.cli(['bundle', 'push', tag, '--from', `oci:${second}/../dist`])).code).toBe(0);
    const upgraded = await site.cli(['run', 'bundle-upgrade', tag, '-n', namespace]);
    expect(upgraded.code, upgraded.stderr).toBe(0);
    const deployment: Loose = await site.client.get(Deployment, { name: 'web', namespace });
    expect(deployment.spec.template.spec.containers[0].image).toBe('example.com/web:0.2.0');

    const type = await site.client.resourceOf({ apiVersion: 'web.example.com/v1', kind: 'Site' });
    await site.client.create(type, { metadata: { name: 'mine', namespace } });
    const refused = await site.cli(['cleanup', 'web', '-n', namespace]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('olm/objects-lost');
    const cleaned = await site.cli(['cleanup', 'web', '--yes']);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    await eventually(async () => expect(await site.everything()).toEqual(before), { timeout: 60_000 });
  });

  test('refuses flags of OLM v0', async () => {
    const { code, stderr } = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('flags', '0.1.0')), '-n', 'default'],
      ...['--push-to', `${site.registry.host}/team/flags`, '--install-mode', 'OwnNamespace'],
      ...['--index-image', 'example.com/opm:1', '--service-account', 'robot'],
    ]);
    expect(code).toBe(2);
    for (const flag of ['--install-mode', '--index-image', '--service-account'])
      expect(stderr).toContain(`${flag} is for OLM v0 only`);
  });
});
