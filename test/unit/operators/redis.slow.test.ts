import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { ConfigMap, PersistentVolumeClaim, Service } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { readCrdDefinitions } from '../../../src/testing/index.ts';
import { withOperatorCrds } from '../../helpers/operator-crds.ts';
import { RedisCluster } from '../../operators/redis/api/redis-cluster.ts';
import { key, RedisClusterFixture } from './redis-cluster-fixture.ts';

const shards = (...indexes: readonly number[]): readonly string[] =>
  indexes.map((index) => `example-${index}`);

describe('RedisCluster', () => {
  let crds: readonly object[];
  let cluster: RedisClusterFixture;
  beforeAll(async () => {
    crds = await withOperatorCrds('redis', (folder) => readCrdDefinitions([folder]));
  });
  beforeEach(async () => {
    cluster = await RedisClusterFixture.start(crds);
  });
  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
    expect(cluster.redis.open.size).toBe(0);
  });

  test('waits for all Pods', async () => {
    await cluster.create();
    expect(await cluster.status()).toMatchObject({ phase: 'Creating', reason: 'WaitingForPods' });
    await cluster.run({ except: ['example-1-1'] });
    expect(await cluster.status()).toMatchObject({ phase: 'Creating', reason: 'WaitingForPods' });
    expect(cluster.redis.knownBy(cluster.addressOf('example-0-0'))).toHaveLength(1);
    await cluster.run();
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy' });
  });

  test('forms a cluster of masters with the same shares, and their replicas', async () => {
    await cluster.form();
    expect(cluster.reasons).toEqual([
      'WaitingForPods',
      'MeetingNodes',
      'ReplicatingMasters',
      'AssigningSlots',
      undefined,
    ]);
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
    expect(await cluster.condition('Ready')).toMatchObject({ status: 'True', reason: 'AllSlotsServed' });
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'False' });
    expect(await cluster.slots()).toEqual({
      'example-0-0': 5462,
      'example-0-1': undefined,
      'example-1-0': 5461,
      'example-1-1': undefined,
      'example-2-0': 5461,
      'example-2-1': undefined,
    });
  });

  test('waits until the nodes have heard of each other, and of their slots', async () => {
    const { api, redis } = cluster;
    redis.gossips = false;
    await cluster.form({ replicas: 0 });
    expect(await cluster.status()).toMatchObject({ phase: 'Creating', reason: 'WaitingForGossip' });
    redis.gossips = true;
    await api.advance('300ms');
    redis.gossips = false;
    await api.advance('1s');
    expect(await cluster.status()).toMatchObject({ reason: 'WaitingForState', masters: 3 });
    expect(await cluster.condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitingForState' });
    redis.gossips = true;
    await api.advance('1s');
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
  });

  test('moves slots with their keys to new masters', async () => {
    await cluster.form({ replicas: 0 });
    const keys = Array.from({ length: 250 }, (_, index) => `key-${index}`);
    for (const name of keys) cluster.redis.put(name, 5460);
    cluster.redis.put('other', 16_383);
    await cluster.change({ masters: 4 });
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', reason: 'WaitingForPods', masters: 3 });
    await cluster.run();
    expect(cluster.reasons.slice(-4)).toEqual(['WaitingForPods', 'MeetingNodes', 'MovingSlots', undefined]);
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 4 });
    expect(Object.values(await cluster.slots())).toEqual([4096, 4096, 4096, 4096]);
    expect([...cluster.redis.keys].sort()).toEqual([...keys, 'other'].sort());
  });

  test('removes a shard once others have its slots and keys', async () => {
    await cluster.form({ masters: 4 });
    cluster.redis.put('first', 0);
    cluster.redis.put('last', 16_383);
    await cluster.change({ masters: 3 });
    await cluster.api.advance('2s');
    expect(await cluster.names(StatefulSet)).toEqual(shards(0, 1, 2));
    expect(await cluster.names(Service)).toEqual(shards(0, 1, 2));
    expect(cluster.api.events).toMatchObject([{ reason: 'ShardRemoved', note: 'Removed shard example-3' }]);
    expect(cluster.redis.knownBy(cluster.addressOf('example-0-0'))).toHaveLength(6);
    await cluster.run();
    expect(cluster.reasons.slice(-3)).toEqual(['MovingSlots', 'RemovingShards', undefined]);
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
    expect(Object.keys(await cluster.slots())).toHaveLength(6);
    expect([...cluster.redis.keys].sort()).toEqual(['first', 'last']);
  });

  test('removes a shard that has never run', async () => {
    await cluster.form({ replicas: 0 });
    await cluster.change({ masters: 4 });
    expect(await cluster.status()).toMatchObject({ reason: 'WaitingForPods' });
    await cluster.change({ masters: 3 });
    expect(await cluster.names(StatefulSet)).toEqual(shards(0, 1, 2));
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
  });

  test('lets new Pods follow the masters, and forgets those that left', async () => {
    await cluster.form({ replicas: 0 });
    await cluster.change({ replicas: 1 });
    await cluster.run();
    expect(cluster.reasons.slice(-3)).toEqual(['MeetingNodes', 'ReplicatingMasters', undefined]);
    expect(Object.values(await cluster.slots()).filter((each) => each === undefined)).toHaveLength(3);
    await cluster.change({ replicas: 0 });
    await cluster.run();
    expect(await cluster.slots()).toEqual({ 'example-0-0': 5462, 'example-1-0': 5461, 'example-2-0': 5461 });
    expect(cluster.redis.knownBy(cluster.addressOf('example-0-0'))).toHaveLength(3);
  });

  test('rolls its Pods when the configuration changes', async () => {
    await cluster.form({ replicas: 0 });
    const checksums = async (): Promise<readonly unknown[]> =>
      (await cluster.api.client.list(StatefulSet, { namespace: key.namespace })).items.map(
        ({ spec }) => spec?.template.metadata?.annotations?.['redis.example.com/config'],
      );
    const before = await checksums();
    await cluster.change({ config: { appendonly: 'no', maxmemory: '1gb' } });
    const after = await checksums();
    expect(new Set(after).size).toBe(1);
    expect(after).not.toEqual(before);
    const { data } = await cluster.api.client.get(ConfigMap, { ...key, name: 'example-config' });
    expect(data?.['redis.conf']?.split('\n')).toEqual([
      'cluster-enabled yes',
      'cluster-node-timeout 5000',
      'cluster-allow-replica-migration no',
      'appendonly no',
      'maxmemory 1gb',
      '',
    ]);
  });

  describe('with storage', () => {
    const claims = (): Promise<readonly (string | undefined)[]> => cluster.names(PersistentVolumeClaim);
    const claimsOf = (...indexes: readonly number[]): readonly string[] =>
      shards(...indexes).map((shard) => `data-${shard}-0`);

    test('has a claim for each Pod', async () => {
      await cluster.form({ replicas: 0, storage: { size: '2Gi' } });
      expect(await claims()).toEqual(claimsOf(0, 1, 2));
      const { spec } = await cluster.api.client.get(StatefulSet, { ...key, name: 'example-0' });
      expect(spec?.volumeClaimTemplates).toMatchObject([
        { metadata: { name: 'data' }, spec: { resources: { requests: { storage: '2Gi' } } } },
      ]);
      expect(spec?.template.spec?.volumes?.map(({ name }) => name)).toEqual(['config']);
    });

    test.each([
      { deleteClaims: true, left: claimsOf(0, 1, 2) },
      { deleteClaims: false, left: claimsOf(0, 1, 2, 3) },
    ])('of a removed shard, claims are $left', async ({ deleteClaims, left }) => {
      await cluster.form({ masters: 4, replicas: 0, storage: { size: '1Gi', deleteClaims } });
      await cluster.change({ masters: 3 });
      await cluster.run();
      expect(await cluster.names(StatefulSet)).toEqual(shards(0, 1, 2));
      expect(await claims()).toEqual(left);
    });

    test.each([
      { deleteClaims: true, left: [] },
      { deleteClaims: false, left: claimsOf(0, 1, 2) },
    ])('of a deleted cluster, claims are $left', async ({ deleteClaims, left }) => {
      await cluster.form({ replicas: 0, storage: { size: '1Gi', deleteClaims } });
      await cluster.api.client.delete(RedisCluster, key);
      await cluster.api.advance('1s');
      expect(await cluster.api.client.find(RedisCluster, key)).toBeUndefined();
      expect(await cluster.names(StatefulSet)).toEqual([]);
      expect(await claims()).toEqual(left);
    });
  });

  test('deletes no claims of other clusters', async () => {
    await cluster.form({ replicas: 0, storage: { size: '1Gi', deleteClaims: true } });
    await cluster.api.client.create(PersistentVolumeClaim, {
      metadata: {
        name: 'other',
        namespace: key.namespace,
        labels: { 'app.kubernetes.io/name': 'redis', 'app.kubernetes.io/instance': 'other' },
      },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await cluster.api.client.delete(RedisCluster, key);
    await cluster.api.advance('1s');
    expect(await cluster.names(PersistentVolumeClaim)).toEqual(['other']);
  });
});
