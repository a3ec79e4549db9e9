import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, PersistentVolumeClaim, Secret } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DistributedRedisCluster } from '../../src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { key, RedisClusterFixture } from '../fixtures/redis-cluster-fixture.ts';

const shards = (...indexes: readonly number[]): readonly string[] =>
  indexes.map((index) => `example-${index}`);

describe('DistributedRedisCluster', () => {
  let cluster: RedisClusterFixture;
  beforeEach(async () => {
    cluster = await RedisClusterFixture.start();
  });
  afterEach(() => cluster[Symbol.asyncDispose]());

  test('waits for all Pods', async () => {
    await cluster.create();
    expect(await cluster.status()).toMatchObject({ phase: 'Creating', step: 'WaitForPods' });
    await cluster.run({ except: ['example-1-1'] });
    expect(await cluster.status()).toMatchObject({ phase: 'Creating', step: 'WaitForPods' });
    expect(cluster.redis.knownBy(cluster.addressOf('example-0-0'))).toHaveLength(1);
    await cluster.run();
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy' });
  });

  test('forms a cluster of masters with the same shares, and their replicas', async () => {
    await cluster.form();
    expect(cluster.steps).toEqual(['WaitForPods', 'MeetNodes', 'FollowMasters', 'AssignSlots', undefined]);
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
    await cluster.form({ clusterReplicas: 0 });
    expect(await cluster.status()).toMatchObject({ phase: 'Creating', step: 'MeetNodes' });
    redis.gossips = true;
    await api.advance('300ms');
    redis.gossips = false;
    await api.advance('1s');
    expect(await cluster.status()).toMatchObject({ step: 'WaitForState', masters: 3 });
    expect(await cluster.condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitForState' });
    redis.gossips = true;
    await api.advance('1s');
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
  });

  test('moves slots with their keys to new masters', async () => {
    await cluster.form({ clusterReplicas: 0 });
    const keys = Array.from({ length: 250 }, (_, index) => `key-${index}`);
    for (const name of keys) cluster.redis.put(name, 5460);
    cluster.redis.put('other', 16_383);
    await cluster.change({ masterSize: 4 });
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', step: 'WaitForPods', masters: 3 });
    await cluster.run();
    expect(cluster.steps.slice(-4)).toEqual(['WaitForPods', 'MeetNodes', 'MoveSlots', undefined]);
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 4 });
    expect(Object.values(await cluster.slots())).toEqual([4096, 4096, 4096, 4096]);
    expect([...cluster.redis.keys].sort()).toEqual([...keys, 'other'].sort());
  });

  test('removes a shard once others have its slots and keys', async () => {
    await cluster.form({ masterSize: 4 });
    cluster.redis.put('first', 0);
    cluster.redis.put('last', 16_383);
    await cluster.change({ masterSize: 3 });
    await cluster.api.advance('2s');
    expect(await cluster.names(StatefulSet)).toEqual(shards(0, 1, 2));
    expect(await cluster.names(PodDisruptionBudget)).toEqual(shards(0, 1, 2));
    expect(cluster.api.events).toMatchObject([{ reason: 'ShardRemoved', note: 'example-3' }]);
    expect(cluster.redis.knownBy(cluster.addressOf('example-0-0'))).toHaveLength(6);
    await cluster.run();
    expect(cluster.steps.slice(-3)).toEqual(['MoveSlots', 'RemoveShards', undefined]);
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
    expect(Object.keys(await cluster.slots())).toHaveLength(6);
    expect([...cluster.redis.keys].sort()).toEqual(['first', 'last']);
  });

  test('removes a shard that has never run', async () => {
    await cluster.form({ clusterReplicas: 0 });
    await cluster.change({ masterSize: 4 });
    expect(await cluster.status()).toMatchObject({ step: 'WaitForPods' });
    await cluster.change({ masterSize: 3 });
    expect(await cluster.names(StatefulSet)).toEqual(shards(0, 1, 2));
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
  });

  test('replaces its Pods when the configuration changes, masters last', async () => {
    await cluster.form();
    cluster.redis.put('kept', 0);
    await cluster.change({ config: { maxmemory: '1gb' } });
    await cluster.roll();
    const { data } = await cluster.api.client.get(ConfigMap, { ...key, name: 'example-redis' });
    expect(data?.['redis.conf']).toContain('appendonly yes\nmaxmemory 1gb\n');
    const events = cluster.api.events.map(({ reason, note }) => `${reason} ${note}`);
    expect(events).toEqual([
      'PodReplaced example-0-1',
      'PodReplaced example-1-1',
      'PodReplaced example-2-1',
      'MasterChanged example-0-1 is the master of example-0',
      'PodReplaced example-0-0',
      'MasterChanged example-1-1 is the master of example-1',
      'PodReplaced example-1-0',
      'MasterChanged example-2-1 is the master of example-2',
      'PodReplaced example-2-0',
    ]);
    expect(cluster.redis.keys).toEqual(['kept']);
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'False' });
  });

  test('does not replace the only copy of keys without a claim', async () => {
    await cluster.form({ clusterReplicas: 0 });
    await cluster.change({ image: 'redis:8' });
    await cluster.run();
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', step: 'UpdateBlocked' });
    const message = expect.stringContaining('example-0-0, example-1-0, example-2-0') as string;
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'True', message });
    expect(await cluster.condition('Available')).toMatchObject({ status: 'True' });
  });

  test('replaces masters without replicas that have a claim', async () => {
    await cluster.form({ clusterReplicas: 0, storage: { type: 'persistent-claim', size: '1Gi' } });
    cluster.redis.put('kept', 0);
    await cluster.change({ image: 'redis:8' });
    await cluster.roll();
    expect(cluster.redis.keys).toEqual(['kept']);
    expect(Object.keys(await cluster.slots())).toHaveLength(3);
  });

  test('spreads masters over the nodes of Kubernetes', async () => {
    await cluster.form();
    // Two masters on a node, and none on another, as after an election.
    cluster.redis.failOver(cluster.addressOf('example-2-1'));
    await cluster.api.advance('20s');
    expect(cluster.api.events).toMatchObject([
      { reason: 'MasterChanged', note: 'example-2-0 is the master of example-2' },
    ]);
    expect([...(await nodesOfMasters())].sort()).toEqual(['node-0', 'node-1', 'node-2']);
  });
  const nodesOfMasters = async (): Promise<readonly string[]> =>
    ((await cluster.status())?.nodes ?? [])
      .filter(({ role }) => role === 'Master')
      .map(({ nodeName = '' }) => nodeName);

  test('changes nothing while it is paused, and shows what is there', async () => {
    await cluster.form();
    await cluster.change({ paused: true, masterSize: 4 });
    expect(await cluster.names(StatefulSet)).toEqual(shards(0, 1, 2));
    expect(await cluster.status()).toMatchObject({ phase: 'Paused', masters: 3 });
    expect(await cluster.condition('Ready')).toMatchObject({ status: 'False', reason: 'Paused' });
    await cluster.change({ paused: false });
    expect(await cluster.names(StatefulSet)).toEqual(shards(0, 1, 2, 3));
  });

  test('waits for its password, and uses it', async () => {
    cluster.redis.password = 'secret';
    await cluster.create({ passwordSecret: { name: 'redis-password' } });
    expect(await cluster.names(StatefulSet)).toEqual([]);
    expect(await cluster.condition('Degraded')).toMatchObject({
      ...{ status: 'True', reason: 'PasswordMissing', message: 'Secret redis-password does not exist' },
    });
    await cluster.api.client.create(Secret, {
      metadata: { ...key, name: 'redis-password' },
      stringData: { password: 'secret' },
    });
    await cluster.api.advance('20s');
    await cluster.run();
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy' });
    const set = await cluster.api.client.get(StatefulSet, { ...key, name: 'example-0' });
    const [container] = set.spec?.template.spec?.containers ?? [];
    expect(container?.env).toContainEqual({
      name: 'REDIS_PASSWORD',
      valueFrom: { secretKeyRef: { name: 'redis-password', key: 'password' } },
    });
  });

  const has = (what: string): string => `has ${what}, which redis.conf cannot have in a password`;
  test.each([
    { data: {}, reason: 'PasswordMissing', message: 'is missing or empty' },
    { data: { password: 'se"cret' }, reason: 'PasswordInvalid', message: has('a double quote') },
    { data: { password: 'se\\cret' }, reason: 'PasswordInvalid', message: has('a backslash') },
    { data: { password: 'secret\n' }, reason: 'PasswordInvalid', message: has('a line break') },
    { data: { password: 'se\tcret' }, reason: 'PasswordInvalid', message: has('a control character') },
  ])('waits while its password cannot be used: $message', async ({ data, reason, message }) => {
    const secret = { ...key, name: 'redis-password' };
    cluster.redis.password = 'secret';
    await cluster.api.client.create(Secret, { metadata: secret, stringData: data });
    await cluster.create({ passwordSecret: { name: 'redis-password' } });
    for (const [type, status] of Object.entries({ Ready: 'False', Degraded: 'True' })) {
      expect(await cluster.condition(type)).toMatchObject({
        ...{ status, reason, message: `Secret redis-password: the key password ${message}` },
      });
    }
    expect(await cluster.names(StatefulSet)).toEqual([]);
    await cluster.api.client.patch(Secret, secret, {
      type: 'merge',
      body: { stringData: { password: 'secret' } },
    });
    await cluster.api.advance('20s');
    await cluster.run();
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy' });
  });

  describe('with storage', () => {
    const claims = (): Promise<readonly (string | undefined)[]> => cluster.names(PersistentVolumeClaim);
    const claimsOf = (...indexes: readonly number[]): readonly string[] =>
      shards(...indexes).map((shard) => `data-${shard}-0`);

    test('has a claim for each Pod', async () => {
      await cluster.form({ clusterReplicas: 0, storage: { type: 'persistent-claim', size: '2Gi' } });
      expect(await claims()).toEqual(claimsOf(0, 1, 2));
      const { spec } = await cluster.api.client.get(StatefulSet, { ...key, name: 'example-0' });
      expect(spec?.volumeClaimTemplates).toMatchObject([
        { metadata: { name: 'data' }, spec: { resources: { requests: { storage: '2Gi' } } } },
      ]);
      expect(spec?.template.spec?.volumes?.map(({ name }) => name)).toEqual(['conf']);
    });

    test.each([
      { deleteClaim: true, left: claimsOf(0, 1, 2) },
      { deleteClaim: false, left: claimsOf(0, 1, 2, 3) },
    ])('of a removed shard, claims are $left', async ({ deleteClaim, left }) => {
      await cluster.form({
        masterSize: 4,
        clusterReplicas: 0,
        storage: { type: 'persistent-claim', size: '1Gi', deleteClaim },
      });
      await cluster.change({ masterSize: 3 });
      await cluster.run();
      expect(await cluster.names(StatefulSet)).toEqual(shards(0, 1, 2));
      expect(await claims()).toEqual(left);
    });

    test.each([
      { deleteClaim: true, left: [] },
      { deleteClaim: false, left: claimsOf(0, 1, 2) },
    ])('of a deleted cluster, claims are $left', async ({ deleteClaim, left }) => {
      await cluster.form({
        clusterReplicas: 0,
        storage: { type: 'persistent-claim', size: '1Gi', deleteClaim },
      });
      await cluster.api.client.delete(DistributedRedisCluster, key);
      await cluster.api.advance('1s');
      expect(await cluster.api.client.find(DistributedRedisCluster, key)).toBeUndefined();
      expect(await cluster.names(StatefulSet)).toEqual([]);
      expect(await claims()).toEqual(left);
    });
  });

  test('lets claims grow', async () => {
    const storage = { type: 'persistent-claim', size: '1Gi' } as const;
    await cluster.form({ storage });
    await cluster.change({ storage: { ...storage, size: '2Gi' } });
    await cluster.api.advance('1s');
    const { items } = await cluster.api.client.list(PersistentVolumeClaim, { namespace: key.namespace });
    expect(items.map(({ spec }) => spec?.resources?.requests?.['storage'])).toEqual(Array(6).fill('2Gi'));

    // Somebody needs more, and the cluster asks for the same in another unit.
    const body = { spec: { resources: { requests: { storage: '5Gi' } } } };
    await cluster.api.client.mergePatch(PersistentVolumeClaim, items[0]?.metadata ?? key, body);
    await cluster.change({ storage: { ...storage, size: '2048Mi' } });
    await cluster.api.advance('1m');
    expect((await cluster.condition('Degraded'))?.status).toBe('False');
    const sizes = (await cluster.api.client.list(PersistentVolumeClaim, { namespace: key.namespace })).items;
    expect(sizes.map(({ spec }) => spec?.resources?.requests?.['storage'])).toContain('5Gi');
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy' });
  });

  test('deletes no claims of other clusters', async () => {
    await cluster.form({
      clusterReplicas: 0,
      storage: { type: 'persistent-claim', size: '1Gi', deleteClaim: true },
    });
    await cluster.api.client.create(PersistentVolumeClaim, {
      metadata: {
        name: 'other',
        namespace: key.namespace,
        labels: { 'app.kubernetes.io/name': 'redis', 'app.kubernetes.io/instance': 'other' },
      },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await cluster.api.client.delete(DistributedRedisCluster, key);
    await cluster.api.advance('1s');
    expect(await cluster.names(PersistentVolumeClaim)).toEqual(['other']);
  });
});
