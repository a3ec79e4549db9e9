import { metricsRegistry } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DistributedRedisCluster } from '../../src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import type { RedisAutoscaling } from '../../src/api/redis/v1alpha1/redis-autoscaling.ts';
import { RedisClusterBackup } from '../../src/api/redis/v1alpha1/redis-cluster-backup.ts';
import { emptySize, keySize } from '../fixtures/fake-node.ts';
import { killed, Lifeline } from '../fixtures/lifeline.ts';
import { key, RedisClusterFixture } from '../fixtures/redis-cluster-fixture.ts';

/** Half of it is 8 keys of each master. */
const maxMemory = 2 * (emptySize + 8 * keySize);
const autoscaling: RedisAutoscaling = { maxMasters: 6, targetMemoryUtilizationPercentage: 50 };
/** Looks at the load after which a master is added, and removed, by default: 60 and 300 seconds. */
const toGrow = '80s';
const toShrink = '320s';

const nameOf = (index: number): string => `key-${index}`;
/** Stores keys with equal distances of their slots. */
function fill({ redis }: RedisClusterFixture, count: number): void {
  for (let index = 0; index < count; index++) redis.put(nameOf(index), Math.floor((index * 16_384) / count));
}
const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => nameOf(index)).sort();

/** Leaves each third of 30 keys. */
function thinOut({ redis }: RedisClusterFixture): void {
  for (const name of names(30)) if (!left.includes(name)) redis.delete(name);
}
const left = names(30).filter((name) => Number(name.slice('key-'.length)) % 3 === 0);

/** Lets time pass in which Pods start and slots are moved. */
async function pass(cluster: RedisClusterFixture, time: string): Promise<void> {
  for (let left = Number.parseInt(time, 10); left > 0; left -= 20) {
    await cluster.api.advance('20s');
    await cluster.run();
  }
}
const masters = async (cluster: RedisClusterFixture): Promise<number | undefined> =>
  (await cluster.status())?.masters;
const scaling = (cluster: RedisClusterFixture): readonly string[] =>
  cluster.api.events
    .filter(({ reason }) => /^Scaled/.test(reason ?? ''))
    .map(({ reason, note }) => `${reason}: ${note}`);

describe('a cluster that is scaled by its memory', () => {
  let cluster: RedisClusterFixture;
  beforeEach(async () => {
    cluster = await RedisClusterFixture.start();
    cluster.redis.maxMemory = maxMemory;
  });
  afterEach(() => cluster[Symbol.asyncDispose]());

  test('gets a master when it is full, and loses it when it is empty, with all keys', async () => {
    await cluster.form({ autoscaling });
    expect(await cluster.status()).toMatchObject({
      ...{ phase: 'Healthy', masters: 3 },
      autoscaling: { desiredMasters: 3, currentMasters: 3, currentMemoryUtilizationPercentage: 10 },
    });
    fill(cluster, 30);
    await cluster.api.advance('40s');
    expect(await cluster.condition('AbleToScale')).toMatchObject({
      status: 'False',
      reason: 'BackoffUpscale',
    });
    await pass(cluster, toGrow);
    expect(await cluster.status()).toMatchObject({
      ...{ phase: 'Healthy', masters: 4 },
      autoscaling: { desiredMasters: 4, currentMasters: 4, currentMemoryUtilizationPercentage: 48 },
    });
    await cluster.api.advance('900s');
    expect(scaling(cluster)).toEqual([
      'ScaledOut: From 3 to 4 masters: memory utilization is above its target',
    ]);

    thinOut(cluster);
    await pass(cluster, toShrink);
    await cluster.api.advance('900s');
    expect(scaling(cluster).slice(1)).toEqual([
      'ScaledIn: From 4 to 3 masters: memory utilization would be below target on one master fewer',
    ]);
    expect(await cluster.status()).toMatchObject({
      phase: 'Healthy',
      masters: 3,
      autoscaling: { desiredMasters: 3 },
    });
    expect(await cluster.condition('ScalingLimited')).toMatchObject({
      status: 'True',
      reason: 'TooFewReplicas',
    });
    expect([...cluster.redis.keys].sort()).toEqual(left);
    // The spec is its owner's.
    const { spec } = await cluster.api.client.get(DistributedRedisCluster, key);
    expect(spec).toMatchObject({ masterSize: 3, autoscaling });
  });

  test('grows by one master at a time, to its maximum', async () => {
    await cluster.form({ autoscaling: { ...autoscaling, maxMasters: 5 } });
    fill(cluster, 57);
    await pass(cluster, '800s');
    expect(scaling(cluster).map((text) => text.slice(0, 30))).toEqual([
      'ScaledOut: From 3 to 4 masters',
      'ScaledOut: From 4 to 5 masters',
    ]);
    expect(await cluster.condition('ScalingLimited')).toMatchObject({
      status: 'True',
      reason: 'TooManyReplicas',
    });
    expect(await metric('at_maximum')).toEqual([1]);
  });

  test('says so if its memory has no limit', async () => {
    cluster.redis.maxMemory = 0;
    await cluster.form({ autoscaling, masterSize: 4 });
    await cluster.api.advance(toShrink);
    expect(await masters(cluster)).toBe(4);
    expect(await cluster.condition('ScalingActive')).toMatchObject({
      ...{ status: 'False', reason: 'FailedGetResourceMetric' },
      message:
        'Memory utilization is not known: set maxmemory in spec.config, or the memory limit in spec.resources',
    });
    // The limit of the container is one, too.
    await cluster.change({ resources: { limits: { memory: `${maxMemory}` } } });
    await cluster.roll();
    await pass(cluster, toShrink);
    expect(await cluster.condition('ScalingActive')).toMatchObject({ status: 'True' });
    expect(await masters(cluster)).toBe(3);
  });

  test('changes nothing while figures are missing, Pods are replaced or a backup is taken', async () => {
    await cluster.form({ autoscaling });
    const backup = { name: 'nightly', namespace: key.namespace };
    await cluster.api.client.create(RedisClusterBackup, {
      metadata: backup,
      spec: {
        redisClusterName: key.name,
        storageSecretName: 's3',
        s3: { endpoint: 'https://s3', bucket: 'backups' },
      },
    });
    await cluster.api.client.applyStatus(RedisClusterBackup, backup, { phase: 'Running' });
    fill(cluster, 30);
    await pass(cluster, toShrink);
    expect(await cluster.condition('AbleToScale')).toMatchObject({
      status: 'False',
      reason: 'BackupRunning',
    });
    await cluster.api.client.applyStatus(RedisClusterBackup, backup, { phase: 'Succeeded' });

    Object.assign(cluster.redis.missing, { used_memory: undefined });
    await cluster.api.advance(toShrink);
    expect(await cluster.condition('ScalingActive')).toMatchObject({ status: 'False' });
    delete cluster.redis.missing['used_memory'];

    await cluster.change({ image: 'redis:8' });
    await cluster.run();
    await cluster.api.advance(toShrink);
    expect(await cluster.condition('AbleToScale')).toMatchObject({
      status: 'False',
      reason: 'ClusterNotReady',
    });
    expect(scaling(cluster)).toEqual([]);
    await cluster.roll();
    await pass(cluster, toGrow);
    expect(await masters(cluster)).toBe(4);
  });

  test('follows its bounds at once, and its owner when autoscaling ends', async () => {
    await cluster.form({ autoscaling });
    fill(cluster, 30);
    await cluster.change({ autoscaling: { ...autoscaling, minMasters: 5 } });
    await pass(cluster, '20s');
    expect(await masters(cluster)).toBe(5);
    expect(scaling(cluster)).toEqual(['ScaledOut: From 3 to 5 masters: minMasters is 5']);

    // Amid the change back.
    await cluster.change({
      autoscaling: { minMasters: 3, maxMasters: 4, targetMemoryUtilizationPercentage: 50 },
    });
    expect((await cluster.status())?.step).toBeDefined();
    await cluster.change({ autoscaling: { ...autoscaling, minMasters: 6 } });
    await pass(cluster, '60s');
    expect(scaling(cluster).slice(1)).toEqual([
      'ScaledIn: From 5 to 4 masters: maxMasters is 4',
      'ScaledOut: From 4 to 6 masters: minMasters is 6',
    ]);
    expect(await masters(cluster)).toBe(6);

    await cluster.api.client.patch(DistributedRedisCluster, key, {
      ...{ type: 'merge', body: { spec: { autoscaling: null, masterSize: 4 } } },
    });
    await pass(cluster, '60s');
    expect(await masters(cluster)).toBe(4);
    expect((await cluster.status())?.autoscaling).toBeUndefined();
    for (const type of ['AbleToScale', 'ScalingActive', 'ScalingLimited'])
      expect(await cluster.condition(type)).toBeUndefined();
    expect([...cluster.redis.keys].sort()).toEqual(names(30));
  });

  test('begins with the shards that are there, also after its status was lost', async () => {
    await cluster.form({ masterSize: 5 });
    fill(cluster, 45);
    await cluster.change({ masterSize: 3, autoscaling });
    await pass(cluster, '60s');
    expect(await masters(cluster)).toBe(5);
    await cluster.api.client.patch(DistributedRedisCluster, key, {
      ...{ type: 'merge', subresource: 'status', body: { status: { autoscaling: null } } },
    });
    await pass(cluster, '60s');
    expect(await masters(cluster)).toBe(5);
    expect(await cluster.names(StatefulSet)).toHaveLength(5);
    expect(scaling(cluster)).toEqual([]);
  });

  test('changes nothing while it is paused', async () => {
    await cluster.form({ autoscaling });
    fill(cluster, 30);
    await cluster.change({ paused: true, autoscaling: { ...autoscaling, minMasters: 4 } });
    await cluster.api.advance(toShrink);
    expect(await cluster.condition('ScalingActive')).toMatchObject({
      status: 'False',
      reason: 'ScalingDisabled',
    });
    expect((await cluster.status())?.autoscaling).toMatchObject({ desiredMasters: 3 });
    expect(scaling(cluster)).toEqual([]);
    await cluster.change({ paused: false });
    await pass(cluster, '20s');
    expect(await masters(cluster)).toBe(4);
  });

  test('has metrics that go with it', async () => {
    await cluster.form({ autoscaling });
    expect(await metric('masters')).toEqual([3]);
    expect(await metric('desired_masters')).toEqual([3]);
    expect(await metric('memory_utilization_ratio')).toEqual([expect.closeTo(0.1)]);
    expect(await metric('anomaly')).toEqual([0, 0, 0, 0, 0]);
    await cluster.api.client.delete(DistributedRedisCluster, key);
    await cluster.api.advance('1s');
    for (const name of [
      'masters',
      'desired_masters',
      'memory_utilization_ratio',
      'operations_per_second',
      'anomaly',
    ])
      expect(await metric(name), name).toEqual([]);
  });

  test('has anomalies as a condition', async () => {
    await cluster.form({ autoscaling });
    expect(await cluster.condition('AnomalyDetected')).toMatchObject({
      status: 'False',
      reason: 'AsExpected',
    });
    cluster.redis.at(cluster.addressOf('example-1-0')).rejectedConnections = 4;
    await cluster.api.advance('15s');
    expect(await cluster.condition('AnomalyDetected')).toMatchObject({
      ...{ status: 'True', reason: 'ConnectionsRejected' },
      message: 'example-1-0: connections are refused: maxclients is reached',
    });
    expect(await metric('anomaly')).toEqual([1, 0, 0, 0, 0]);
    await cluster.api.advance('310s');
    expect(await cluster.condition('AnomalyDetected')).toMatchObject({ status: 'False' });
  });

  /** Returns the values of the series of a metric. */
  async function metric(name: string): Promise<readonly number[]> {
    const found = await metricsRegistry.getSingleMetric(`redis_operator_cluster_${name}`)?.get();
    return (found?.values ?? [])
      .filter(({ labels }) => labels['cluster'] === key.name)
      .map(({ value }) => value);
  }
});

test.each([1, 2, 5])(
  'is scaled once in each direction by operators that are killed before write %i of each kind',
  async (nth) => {
    const life = new Lifeline(nth);
    await using cluster = await RedisClusterFixture.start({ through: (redis) => life.through(redis) });
    cluster.redis.maxMemory = maxMemory;
    life.follow(cluster.api);
    /** Goes on with another operator, until the cluster is as large as it should be. */
    const survive = async (expected: number): Promise<void> => {
      for (let round = 0; round < 80; round++) {
        try {
          await pass(cluster, '40s');
        } catch (error) {
          if (!String(error).includes(killed)) throw error;
        }
        life.revive();
        const status = await cluster.status();
        if (status?.phase === 'Healthy' && status.masters === expected && round > 3) return;
      }
      throw new Error(`not healthy: ${JSON.stringify(await cluster.status())}`);
    };
    await cluster.api.client.create(DistributedRedisCluster, { metadata: key, spec: { autoscaling } });
    await survive(3);
    fill(cluster, 30);
    await survive(4);
    expect([...cluster.redis.keys].sort()).toEqual(names(30));
    thinOut(cluster);
    await survive(3);
    expect([...cluster.redis.keys].sort()).toEqual(left);
    expect(scaling(cluster).map((text) => text.slice(0, 29))).toEqual([
      'ScaledOut: From 3 to 4 master',
      'ScaledIn: From 4 to 3 masters',
    ]);
    expect(life.kills.length).toBeGreaterThan(2);
  },
  300_000,
);
