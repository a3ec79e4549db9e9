// What was asked of the operator of etcd, step by step, on an API server in memory with an etcd of the test. The steps that need a real
// etcd, or an operator that ends, are in test/control-plane/drills/etcd.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  EtcdCluster,
  type EtcdClusterSpec,
} from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdBackup } from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import { EtcdRestore } from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-restore.ts';
import { ClusterFixture, key, urlOf } from '../../../examples/etcd-operator/test/cluster/cluster-fixture.ts';
import { readManifestFile } from '../../helpers/manifest-file.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';

const manifest = readManifestFile<EtcdClusterSpec>(join(import.meta.dirname, 'manifests/etcd-cluster.yaml'));

describe('AS12: EtcdCluster', () => {
  let cluster: ClusterFixture;
  beforeEach(async () => {
    cluster = await ClusterFixture.start();
  });
  afterEach(() => cluster[Symbol.asyncDispose]());

  const flagsOf = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const pod = (await cluster.pods()).find(({ metadata }) => metadata.name === name);
    const flags = (pod?.spec?.containers[0]?.command ?? []).slice(1);
    return Object.fromEntries(
      flags.map((flag) => [flag.slice(2, flag.indexOf('=')), flag.slice(flag.indexOf('=') + 1)]),
    );
  };
  const versions = async (): Promise<readonly string[]> =>
    (await cluster.pods()).map(({ spec }) => spec?.containers[0]?.image?.split(':v')[1] ?? '').sort();
  /** Lets Pods run until the operator is at rest. @param look is called after each of its steps */
  const runUntilRest = async (look: () => Promise<void>): Promise<void> => {
    for (let step = 0; step < 60; step++) {
      await cluster.run();
      await cluster.api.advance('1s');
      await look();
      if ((await cluster.status())?.reason === 'Ready') return;
    }
    throw new Error(`not at rest: ${JSON.stringify(await cluster.status())}`);
  };

  test('AS12.1: its definition has the names of the first operator of etcd', () => {
    const file = 'examples/etcd-operator/config/crd/bases/etcd.database.coreos.com_etcdclusters.yaml';
    const { metadata, spec } = readManifestFile<object>(join(repositoryRoot, file));
    expect(metadata.name).toBe('etcdclusters.etcd.database.coreos.com');
    expect(spec).toMatchObject({
      ...{ group: 'etcd.database.coreos.com', scope: 'Namespaced' },
      names: {
        ...{ kind: 'EtcdCluster', listKind: 'EtcdClusterList', plural: 'etcdclusters' },
        shortNames: ['etcd'],
      },
      versions: [{ name: 'v1beta2', served: true, storage: true }],
    });
  });

  test('AS12.2: a seed forms the cluster, the others join one at a time, with the flags of etcd', async () => {
    await cluster.create(manifest.spec);
    const [seed = '', ...early] = await cluster.podNames();
    expect(early).toEqual([]);
    const { metadata } = await cluster.api.client.get(EtcdCluster, key);
    const common = {
      'data-dir': '/var/etcd/data',
      'listen-peer-urls': 'http://$(POD_IP):2380',
      'listen-client-urls': 'http://$(POD_IP):2379',
      'initial-cluster-token': metadata.uid,
    };
    expect(await flagsOf(seed)).toMatchObject({
      ...common,
      name: seed,
      'initial-advertise-peer-urls': urlOf(seed),
      'advertise-client-urls': `http://${seed}.example.default.svc:2379`,
      'initial-cluster': `${seed}=${urlOf(seed)}`,
      'initial-cluster-state': 'new',
    });
    const names = [seed];
    await runUntilRest(async () => {
      for (const name of (await cluster.podNames()).filter((each) => !names.includes(each))) {
        // Its predecessors are members that vote before it comes, and etcd knows it already.
        expect(cluster.etcd.known.map(({ peerURLs }) => peerURLs[0])).toEqual([...names, name].map(urlOf));
        names.push(name);
        expect(await flagsOf(name)).toMatchObject({
          ...common,
          name,
          'initial-advertise-peer-urls': urlOf(name),
          'initial-cluster': names.map((each) => `${each}=${urlOf(each)}`).join(),
          'initial-cluster-state': 'existing',
        });
      }
    });
    expect(names).toHaveLength(3);
    for (const name of names) expect(name).toMatch(/^example-[a-z0-9]{5}$/);
    expect(await versions()).toEqual(['3.5.3', '3.5.3', '3.5.3']);
  });

  test('AS12.2: another cluster of the same name has another token', async () => {
    const tokens: (string | undefined)[] = [];
    for (let round = 0; round < 2; round++) {
      await cluster.create(manifest.spec);
      const [seed = ''] = await cluster.podNames();
      tokens.push((await flagsOf(seed))['initial-cluster-token']);
      await cluster.api.client.delete(EtcdCluster, key);
      await cluster.api.advance('1m');
    }
    expect(tokens[0]).not.toBe(tokens[1]);
  });

  test.each([1, 7])('AS12.2: the size may be %i', async (size) => {
    await expect(cluster.create({ ...manifest.spec, size })).resolves.toBeUndefined();
  });
  test.each([0, 8])('AS12.2: the size must not be %i', async (size) => {
    await expect(cluster.create({ ...manifest.spec, size })).rejects.toThrow('spec.size');
  });

  test('AS12.3: it grows to five and shrinks to three one member at a time, etcd first', async () => {
    await cluster.form(manifest.spec);
    for (const size of [5, 3]) {
      await cluster.change({ size });
      let before = cluster.etcd.known.length;
      await runUntilRest(async () => {
        const known = cluster.etcd.known.length;
        expect(Math.abs(known - before)).toBeLessThanOrEqual(1);
        // A member is added before its Pod comes, and removed before its Pod goes.
        if (size === 5) expect(known).toBeGreaterThanOrEqual((await cluster.podNames()).length);
        else expect(known).toBeLessThanOrEqual((await cluster.podNames()).length);
        before = known;
      });
      expect(cluster.etcd.known).toHaveLength(size);
      expect(cluster.etcd.names).toEqual(await cluster.podNames());
    }
    expect(cluster.etcd.removed).toHaveLength(2);
  });

  test('AS12.4: the status has all its fields by their names', async () => {
    await cluster.form(manifest.spec);
    const ready = await cluster.podNames();
    const { conditions, ...status } = (await cluster.status()) ?? {};
    expect(JSON.parse(JSON.stringify(status))).toEqual({
      ...{ phase: 'Running', reason: 'Ready', controlPaused: false, size: 3 },
      ...{ serviceName: 'example-client', clientPort: 2379, members: { ready, unready: [] } },
      ...{ currentVersion: '3.5.3', targetVersion: '' },
    });
    expect(conditions).toContainEqual(expect.objectContaining({ type: 'Available', status: 'True' }));
    await cluster.change({ version: '3.5.21' });
    expect(await cluster.status()).toMatchObject({ currentVersion: '3.5.3', targetVersion: '3.5.21' });
  });

  test('AS12.5: it is upgraded from 3.4 to 3.5 one Pod at a time', async () => {
    await cluster.form({ ...manifest.spec, version: '3.4.23' });
    await cluster.change({ version: '3.5.3' });
    const seen = new Set([(await versions()).join()]);
    await runUntilRest(async () => {
      seen.add((await versions()).join());
      // No Pod is changed before the process of the last one has the new version.
      const running = [...cluster.etcd.reports.values()].filter(({ version }) => version === '3.5.3').length;
      const changed = (await versions()).filter((version) => version === '3.5.3').length;
      expect(changed - running).toBeLessThanOrEqual(1);
    });
    expect([...seen]).toEqual(['3.4.23,3.4.23,3.5.3', '3.4.23,3.5.3,3.5.3', '3.5.3,3.5.3,3.5.3']);
  });

  test('AS12.5: an upgrade from 3.4 to 3.6 is refused', async () => {
    await cluster.form({ ...manifest.spec, version: '3.4.23' });
    await expect(cluster.change({ version: '3.6.8' })).rejects.toThrow('the same or the next one');
    expect(await cluster.status()).toMatchObject({ reason: 'Ready', targetVersion: '' });
  });

  test.each([
    { lost: 2, title: 'most of its Pods' },
    { lost: 3, title: 'all of its Pods' },
  ])('AS12.5: a cluster that has lost $title has failed, and is restored from a backup', async ({ lost }) => {
    await cluster.form({ ...manifest.spec, recovery: { backup: 'nightly' } });
    await cluster.api.client.create(EtcdBackup, {
      metadata: { ...key, name: 'nightly' },
      spec: {
        ...{ etcdEndpoints: ['http://example-client:2379'], storageType: 'S3' },
        s3: { path: 'mybucket/etcd.backup', awsSecret: 'aws' },
      },
    });
    const sha256 = 'a'.repeat(64);
    const time = '2026-01-01T00:00:00Z';
    await cluster.api.client.mergeStatus(
      EtcdBackup,
      { ...key, name: 'nightly' },
      {
        backups: [{ path: 'mybucket/etcd.backup_v7', revision: 7, sha256, sizeBytes: 1, time }],
      },
    );
    const names = await cluster.podNames();
    for (const name of names.slice(0, lost)) await cluster.losePod(name);
    await cluster.api.advance('1m');
    expect(await cluster.status()).toMatchObject({ phase: 'Failed', size: 3 });
    expect(await cluster.podNames()).toEqual(names.slice(lost));
    const restores = (await cluster.api.client.list(EtcdRestore, { namespace: key.namespace })).items;
    expect(restores.map(({ spec }) => spec)).toMatchObject([
      {
        ...{ etcdCluster: { name: 'example' }, backupStorageType: 'S3', sha256 },
        s3: { path: 'mybucket/etcd.backup_v7', awsSecret: 'aws' },
      },
    ]);
  });

  test('AS12.6: antiAffinity keeps its Pods on different nodes', async () => {
    await cluster.create(manifest.spec);
    const [seed] = await cluster.pods();
    expect(seed?.spec?.affinity).toEqual({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: { matchLabels: { etcd_cluster: 'example' } },
            topologyKey: 'kubernetes.io/hostname',
          },
        ],
      },
    });
    expect(seed?.metadata.labels).toMatchObject({ etcd_cluster: 'example' });
  });
});
