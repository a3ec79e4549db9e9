// Upgrades, certificates, changes of Pods and restores, on an API server in memory with an etcd of the test.
import { ownedBy } from 'opsdk';
import { Pod, Secret } from 'opsdk/k8s/core/v1';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EtcdBackup } from '../../../src/api/etcd/v1beta2/etcd-backup.ts';
import { EtcdRestore } from '../../../src/api/etcd/v1beta2/etcd-restore.ts';
import { EtcdCluster, type EtcdClusterSpec } from '../../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { newCertificate, textsOf } from '../../../src/tls/self-signed.ts';
import { ClusterFixture, key } from '../../cluster/cluster-fixture.ts';

expect.extend(kubernetesMatchers);

describe('EtcdCluster', () => {
  let cluster: ClusterFixture;
  beforeEach(async () => {
    cluster = await ClusterFixture.start();
  });
  afterEach(() => cluster[Symbol.asyncDispose]());

  const imagesOf = async (): Promise<readonly string[]> =>
    (await cluster.pods()).map(({ spec }) => spec?.containers[0]?.image ?? '').sort();
  const secret = (name: string) => cluster.api.client.find(Secret, { ...key, name });

  test('upgrades one Pod at a time, in place, and reports from where and to where', async () => {
    await cluster.form({ version: '3.5.21' });
    const names = await cluster.podNames();
    await cluster.change({ version: '3.6.8' });
    expect(await cluster.status()).toMatchObject({ currentVersion: '3.5.21', targetVersion: '3.6.8' });
    expect(await cluster.condition('Upgrading')).toMatchObject({
      status: 'True',
      message: expect.stringMatching(
        /^From 3\.5\.21 to 3\.6\.8: example-\w{5} runs 3\.5\.21, and its image is 3\.6\.8$/,
      ) as string,
    });
    // The process of the first one is still the former: nothing else happens.
    await cluster.api.advance('10s');
    const old = 'quay.io/coreos/etcd:v3.5.21';
    expect(await imagesOf()).toEqual([old, old, 'quay.io/coreos/etcd:v3.6.8']);

    await cluster.settle();
    expect(await cluster.podNames()).toEqual(names);
    expect(await cluster.status()).toMatchObject({
      reason: 'Ready',
      currentVersion: '3.6.8',
      targetVersion: '',
    });
  });

  test('refuses an upgrade that skips a minor version, and says which one comes first', async () => {
    await cluster.form({ version: '3.4.23' });
    await expect(cluster.change({ version: '3.6.8' })).rejects.toThrow(
      'its minor version the same or the next one',
    );
    await expect(cluster.change({ version: '3.4.22' })).rejects.toThrow('or a later one');
  });

  test('leaves members alone that are too old for the version of their object', async () => {
    await cluster.form({ version: '3.5.21' });
    const image = 'quay.io/coreos/etcd:v3.3.27';
    for (const { metadata } of await cluster.pods())
      await cluster.api.client.patch(Pod, metadata, {
        type: 'json',
        body: [{ op: 'replace', path: '/spec/containers/0/image', value: image }],
      });
    await cluster.settle();
    expect(await imagesOf()).toEqual([image, image, image]);
    expect(await cluster.status()).toMatchObject({ reason: 'UpgradeRefused', targetVersion: '' });
    expect((await cluster.condition('Upgrading'))?.message).toContain('set the version to a 3.4 first');
  });

  test.each<{ readonly title: string; readonly spec: EtcdClusterSpec }>([
    { title: 'restarts members with storage', spec: { storage: { size: '1Gi' } } },
    { title: 'replaces members without', spec: {} },
  ])('$title one at a time for a change of their Pods', async ({ spec }) => {
    await cluster.form(spec);
    const names = await cluster.podNames();
    await cluster.change({ pod: { labels: { team: 'web' }, antiAffinity: true } });
    await cluster.settle();
    const pods = await cluster.pods();
    expect(pods.map(({ metadata }) => metadata.labels?.['team'])).toEqual(['web', 'web', 'web']);
    expect(pods[0]?.spec?.affinity).toEqual({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: { matchLabels: { etcd_cluster: 'example' } },
            topologyKey: 'kubernetes.io/hostname',
          },
        ],
      },
    });
    const kept = (await cluster.podNames()).filter((name) => names.includes(name));
    expect(kept).toHaveLength(spec.storage === undefined ? 0 : 3);
  });

  test('makes certificates, renews them in time, and restarts the members with them', async () => {
    await cluster.form({ TLS: { selfSigned: { validityDays: 90 } }, storage: { size: '1Gi' } });
    const names = await cluster.podNames();
    const command = (await cluster.pods())[0]?.spec?.containers[0]?.command ?? [];
    expect(command).toContain('--client-cert-auth=true');
    expect(command.find((flag) => flag.startsWith('--initial-advertise-peer-urls='))).toContain('=https://');
    expect(Object.keys((await secret('example-client-tls'))?.data ?? {}).sort()).toEqual([
      'ca.crt',
      'tls.crt',
      'tls.key',
    ]);
    const before = (await secret('example-server-tls'))?.data?.['tls.crt'];
    const uids = (await cluster.pods()).map(({ metadata }) => metadata.uid);
    await cluster.api.client.delete(Secret, { ...key, name: 'example-server-tls' });
    await cluster.api.advance('1m');
    await cluster.settle();
    expect((await secret('example-server-tls'))?.data?.['tls.crt']).not.toBe(before);
    expect(await cluster.podNames()).toEqual(names);
    for (const { metadata } of await cluster.pods()) expect(uids).not.toContain(metadata.uid);
  });

  test('goes on with its certificates where the authority is missing, and makes no other one', async () => {
    await cluster.form({ TLS: { selfSigned: { validityDays: 90 } }, storage: { size: '1Gi' } });
    const authority = await secret('example-ca-tls');
    const before = (await secret('example-peer-tls'))?.data;
    const uids = (await cluster.pods()).map(({ metadata }) => metadata.uid);
    await cluster.api.client.delete(Secret, { ...key, name: 'example-ca-tls' });
    await cluster.api.advance('1m');
    expect(await secret('example-ca-tls')).toBeUndefined();
    expect((await secret('example-peer-tls'))?.data).toEqual(before);
    expect((await cluster.pods()).map(({ metadata }) => metadata.uid)).toEqual(uids);
    expect(cluster.api.events.map(({ reason }) => reason)).toContain('AuthorityMissing');

    const object = await cluster.api.client.get(EtcdCluster, key);
    const old = await newCertificate(
      object,
      'peer',
      textsOf(authority),
      cluster.api.now.getTime() - 61 * 86_400_000,
    );
    const stringData = { ...old };
    await cluster.api.client.mergePatch(Secret, { ...key, name: 'example-peer-tls' }, { stringData });
    await expect(cluster.api.advance('1m')).rejects.toThrow('Secret example-ca-tls is missing');
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'True' });
  });

  test('upgrades its own container, wherever others are', async () => {
    await cluster.form({ version: '3.5.21' });
    // As an admission webhook adds a proxy.
    const proxy = { name: 'proxy', image: 'example.com/proxy:v1' };
    await cluster.change({ paused: true });
    for (const { metadata, spec } of await cluster.pods()) {
      await cluster.api.client.delete(Pod, metadata, { gracePeriodSeconds: 0 });
      const { resourceVersion: _version, uid: _uid, ...rest } = metadata;
      const containers = [proxy, ...(spec?.containers ?? [])];
      await cluster.api.client.create(Pod, { metadata: rest, spec: { ...spec, containers } });
      await cluster.setPhase(metadata.name, 'Running');
    }
    await cluster.change({ version: '3.6.8', paused: false });
    const images = (await cluster.pods()).map(({ spec }) => spec?.containers.map(({ image }) => image));
    expect(images.filter((each) => each?.[1] === 'quay.io/coreos/etcd:v3.6.8')).toHaveLength(1);
    expect(images.map((each) => each?.[0])).toEqual(Array(3).fill(proxy.image));
  });

  test('asks for another recovery, also where a former one was deleted', async () => {
    const s3 = { path: 'backups/etcd', awsSecret: 'aws' };
    await cluster.api.client.create(EtcdBackup, {
      metadata: { ...key, name: 'nightly' },
      spec: { etcdEndpoints: ['http://example-client:2379'], storageType: 'S3', s3 },
    });
    const newest = { path: 'backups/etcd_v7', revision: 7, sha256: 'a'.repeat(64), sizeBytes: 1 };
    await cluster.api.client.mergeStatus(
      EtcdBackup,
      { ...key, name: 'nightly' },
      { backups: [{ ...newest, time: '2026-01-01T00:00:00Z' }] },
    );
    await cluster.form({ recovery: { backup: 'nightly' } });
    // The first one has been deleted since.
    const former = { ...key, name: 'example-recovery-2' };
    await cluster.api.client.create(EtcdRestore, {
      metadata: { ...former, ...ownedBy(await cluster.api.client.get(EtcdCluster, key)) },
      spec: { etcdCluster: { name: 'example' }, backupStorageType: 'S3', s3 },
    });
    await cluster.api.client.mergeStatus(EtcdRestore, former, { phase: 'Succeeded' });
    for (const name of await cluster.podNames()) await cluster.losePod(name);
    await cluster.api.advance('2s');
    const restores = (await cluster.api.client.list(EtcdRestore, { namespace: key.namespace })).items;
    expect(restores.map(({ metadata }) => metadata.name).sort()).toEqual([
      'example-recovery-2',
      'example-recovery-3',
    ]);
  });

  test('waits for the Secrets of the user', async () => {
    const TLS = {
      static: { member: { peerSecret: 'peer', serverSecret: 'server' }, operatorSecret: 'client' },
    };
    await cluster.create({ TLS });
    expect(await cluster.podNames()).toEqual([]);
    const data = Object.fromEntries(['ca.crt', 'tls.crt', 'tls.key'].map((name) => [name, 'eA==']));
    for (const name of ['peer', 'server', 'client'])
      await cluster.api.client.create(Secret, { metadata: { ...key, name }, data });
    await cluster.api.advance('5m');
    expect(await cluster.podNames()).toHaveLength(1);
    const volumes = (await cluster.pods())[0]?.spec?.volumes ?? [];
    expect(volumes.find(({ name }) => name === 'tls')?.projected?.sources).toMatchObject([
      { secret: { name: 'peer' } },
      { secret: { name: 'server' } },
    ]);
  });

  test('deletes nothing while its own object is deleted', async () => {
    await cluster.form();
    await cluster.api.client.delete(EtcdCluster, key, { propagationPolicy: 'Orphan' });
    await cluster.api.advance('1m');
    expect(await cluster.podNames()).toHaveLength(3);
  });
});
