import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Pod } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RedisAdmin } from '../../src/redis/redis-admin.ts';
import { key, RedisClusterFixture } from '../fixtures/redis-cluster-fixture.ts';

describe('DistributedRedisCluster with faults', () => {
  let cluster: RedisClusterFixture;
  beforeEach(async () => {
    cluster = await RedisClusterFixture.start();
  });
  afterEach(() => cluster[Symbol.asyncDispose]());
  const expectDegraded = async (message: string): Promise<void> =>
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'True', message });
  const expectHealthy = async (): Promise<void> => {
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'False' });
  };
  const knownNodes = (): number => cluster.redis.knownBy(cluster.addressOf('example-0-0')).length;

  test('waits for a Pod that is not ready, with the nodes that were there', async () => {
    await cluster.form({ clusterReplicas: 0 });
    await cluster.setReady('example-1-0', false);
    await cluster.api.advance('1s');
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', step: 'WaitForPods', masters: 2 });
    expect((await cluster.status())?.nodes).toHaveLength(2);
    await cluster.setReady('example-1-0', true);
    await cluster.api.advance('1s');
    await expectHealthy();
  });

  test('names masters that a node without data can ask, the last one also while nobody answers', async () => {
    const peers = async () =>
      (await cluster.api.client.get(ConfigMap, { ...key, name: 'example-redis' })).data?.['peers'];
    await cluster.create();
    expect(await peers()).toBe('');
    await cluster.run();
    const masters = [0, 1, 2].map((shard) => cluster.addressOf(`example-${shard}-0`));
    expect(await peers()).toBe(masters.join('\n'));
    for (const shard of [0, 1, 2]) for (const index of [0, 1]) await cluster.end(`example-${shard}-${index}`);
    await cluster.api.advance('20s');
    expect(await peers()).toBe(masters.at(-1));
  });

  test('forgets a node that was replaced, and gives its slots to the new one', async () => {
    await cluster.form({ clusterReplicas: 0 });
    await cluster.end('example-1-0');
    await cluster.run();
    expect(cluster.steps.slice(-4)).toEqual(['MeetNodes', 'ForgetNodes', 'AssignSlots', undefined]);
    expect(cluster.api.events).toMatchObject([
      { reason: 'SlotsLost', note: '5461 slots had no replica: their keys are lost' },
    ]);
    await expectHealthy();
    expect(knownNodes()).toBe(3);
    expect((await cluster.slots())['example-1-0']).toBe(5461);
  });

  test('forgets a node whose address another one has', async () => {
    await cluster.form({ clusterReplicas: 0 });
    cluster.redis.replace(cluster.addressOf('example-1-0'));
    await cluster.api.advance('20s');
    await expectHealthy();
    expect(knownNodes()).toBe(3);
  });

  test('lets a replica take over before it forgets a lost master', async () => {
    await cluster.form();
    cluster.redis.put('kept', 6000);
    const replica = cluster.addressOf('example-1-1');
    await cluster.end('example-1-0');
    await cluster.run();
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', step: 'WaitForFailover' });
    cluster.redis.failOver(replica);
    await cluster.api.advance('3s');
    await expectHealthy();
    expect(knownNodes()).toBe(6);
    expect(cluster.redis.keys).toEqual(['kept']);
  });

  test('lets a replica take over where an empty node has the address of the master', async () => {
    await cluster.form();
    cluster.redis.put('kept', 6000);
    cluster.redis.replace(cluster.addressOf('example-1-0'));
    await cluster.api.advance('20s');
    await expectHealthy();
    expect(cluster.redis.keys).toEqual(['kept']);
    expect(knownNodes()).toBe(6);
    // The new node has the role on its node of Kubernetes again once it has all data.
    expect(cluster.api.events.map(({ reason }) => reason)).toEqual(['MasterLost', 'MasterChanged']);
    expect(cluster.redis.changes).toContain('CLUSTER FAILOVER TAKEOVER');
  });

  test('lets replicas take over where most masters are lost, so that nobody can vote', async () => {
    await cluster.form();
    for (const [name, slot] of [
      ['first', 0],
      ['second', 6000],
    ] as const)
      cluster.redis.put(name, slot);
    for (const pod of ['example-0-0', 'example-1-0']) {
      cluster.redis.stop(cluster.addressOf(pod));
      await cluster.setReady(pod, false);
    }
    await cluster.api.advance('3s');
    // With one of them replaced, the others can vote about the second one.
    expect(cluster.redis.changes.filter((change) => change.endsWith('TAKEOVER'))).toHaveLength(1);
    expect(await cluster.status()).toMatchObject({ step: 'WaitForPods', masters: 2 });
    cluster.redis.failOver(cluster.addressOf('example-1-1'));
    await cluster.api.advance('3s');
    expect(await cluster.status()).toMatchObject({ step: 'WaitForPods', masters: 3 });
    expect([...cluster.redis.keys].sort()).toEqual(['first', 'second']);
    expect(await cluster.condition('Available')).toMatchObject({ status: 'True' });
    for (const pod of ['example-0-0', 'example-1-0']) {
      cluster.redis.start(cluster.addressOf(pod));
      await cluster.setReady(pod, true);
    }
    await cluster.api.advance('20s');
    await expectHealthy();
    expect(knownNodes()).toBe(6);
  });

  test('leaves the election to the masters while most of them are there', async () => {
    await cluster.form();
    cluster.redis.stop(cluster.addressOf('example-1-0'));
    await cluster.setReady('example-1-0', false);
    await cluster.api.advance('5s');
    expect(await cluster.status()).toMatchObject({ step: 'WaitForPods', masters: 2 });
    expect(cluster.redis.changes).not.toContain('CLUSTER FAILOVER TAKEOVER');
  });

  test('finds nodes that come back at other addresses', async () => {
    await cluster.form({ storage: { type: 'persistent-claim', size: '1Gi' } });
    cluster.redis.put('kept', 6000);
    for (const pod of ['example-0-0', 'example-1-0', 'example-1-1']) await cluster.end(pod);
    await cluster.run();
    await cluster.api.advance('10s');
    await expectHealthy();
    expect(cluster.redis.keys).toEqual(['kept']);
    expect(knownNodes()).toBe(6);
    expect(cluster.redis.changes.filter((change) => /FORGET|ADDSLOTS 0/.test(change))).toHaveLength(1);
  });

  test('leaves slots with a shard to remove while its Pod is away', async () => {
    await cluster.form({ masterSize: 4, clusterReplicas: 0 });
    cluster.redis.put('kept', 16_383);
    const address = cluster.addressOf('example-3-0');
    cluster.redis.stop(address);
    await cluster.setReady('example-3-0', false);
    await cluster.change({ masterSize: 3 });
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', step: 'WaitForPods' });
    cluster.redis.start(address);
    await cluster.setReady('example-3-0', true);
    await cluster.api.advance('3s');
    await expectHealthy();
    expect(cluster.redis.keys).toEqual(['kept']);
  });

  test('removes what is left of a shard whose removal was interrupted', async () => {
    await cluster.form({ masterSize: 4, clusterReplicas: 0 });
    await cluster.api.client.delete(PodDisruptionBudget, { ...key, name: 'example-3' });
    cluster.redis.errors.set('CLUSTER FORGET', new Error('broken pipe'));
    await cluster.change({ masterSize: 3 });
    await expect(cluster.api.advance('5s')).rejects.toThrow('broken pipe');
    await expectDegraded('broken pipe');
    cluster.redis.errors.clear();
    await cluster.api.advance('10s');
    await cluster.run();
    await expectHealthy();
    expect(await cluster.names(StatefulSet)).toEqual(['example-0', 'example-1', 'example-2']);
  });

  test('shows an error of redis in its status until it is over', async () => {
    await cluster.form({ clusterReplicas: 0 });
    const address = cluster.addressOf('example-2-0');
    cluster.redis.stop(address);
    await cluster.api.advance('20s');
    await expectDegraded(`example-2-0: connect ECONNREFUSED ${address}:6379`);
    expect(await cluster.status()).toMatchObject({ masters: 2, step: 'WaitForNodes' });
    cluster.redis.start(address);
    await cluster.api.advance('10s');
    await expectHealthy();
  });

  test('goes on with a slot whose move was interrupted', async () => {
    await cluster.form({ clusterReplicas: 0 });
    cluster.redis.put('kept', 5461);
    await cluster.change({ masterSize: 4 });
    cluster.redis.errors.set('MIGRATE', new Error('IOERR error or timeout writing to target instance'));
    await expect(cluster.run()).rejects.toThrow('IOERR');
    await expectDegraded('IOERR error or timeout writing to target instance');
    cluster.redis.errors.clear();
    await cluster.api.advance('10s');
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 4 });
    expect(cluster.redis.keys).toEqual(['kept']);
  });

  test('ends a move that was interrupted before it begins another one', async () => {
    await cluster.form({ clusterReplicas: 0 });
    for (const name of ['first', 'second']) cluster.redis.put(name, 5461);
    await cluster.change({ masterSize: 4 });
    cluster.redis.errors.set('MIGRATE', new Error('IOERR'));
    await expect(cluster.run()).rejects.toThrow('IOERR');
    const [source, target] = ['example-0-0', 'example-3-0'].map((pod) =>
      cluster.redis.at(cluster.addressOf(pod)),
    );
    // One key has got there, and the other one is on both nodes.
    source?.removeKey(5461, 'first');
    for (const name of ['first', 'second']) target?.putKey(5461, name);
    cluster.redis.errors.clear();
    await cluster.change({ masterSize: 3 });
    await cluster.api.advance('20s');
    await expectHealthy();
    expect([...cluster.redis.keys].sort()).toEqual(['first', 'second']);
    expect(await cluster.names(StatefulSet)).toHaveLength(3);
  });

  test('is not held up for long by a server that does not answer', async () => {
    await cluster.form({ clusterReplicas: 0 });
    cluster.redis.hang(cluster.addressOf('example-2-0'));
    await cluster.api.advance('3m');
    expect(cluster.degradations).toEqual([expect.stringContaining('did not end within 2m')]);
    await expectHealthy();
  });

  test('follows the Pods of its StatefulSets alone', async () => {
    await cluster.form({ clusterReplicas: 0 });
    const before = cluster.api.requests.length;
    const labels = { 'app.kubernetes.io/name': 'other', 'app.kubernetes.io/instance': key.name };
    await cluster.api.client.create(Pod, {
      metadata: { ...key, labels },
      spec: { containers: [{ name: 'other', image: 'other' }] },
    });
    await cluster.api.advance('1s');
    expect(cluster.api.requests).toHaveLength(before);
  });

  test('connects again after a connection has ended', async () => {
    const { redis } = cluster;
    redis.start('10.0.0.1');
    using admin = new RedisAdmin({ redis, signal: new AbortController().signal });
    expect(await admin.nodes('10.0.0.1')).toMatchObject([{ ip: '10.0.0.1', slots: [], isLinked: true }]);
    redis.stop('10.0.0.1');
    await expect(admin.isServing('10.0.0.1')).rejects.toThrow('ECONNREFUSED');
    redis.start('10.0.0.1');
    expect(await admin.isServing('10.0.0.1')).toBe(false);
  });
});
