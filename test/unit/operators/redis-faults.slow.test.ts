import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Pod, Service } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { readCrdDefinitions } from '../../../src/testing/index.ts';
import { withOperatorCrds } from '../../helpers/operator-crds.ts';
import { RedisAdmin } from '../../operators/redis/redis-admin.ts';
import { key, RedisClusterFixture } from './redis-cluster-fixture.ts';

describe('RedisCluster with faults', () => {
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
  const expectDegraded = async (message: string): Promise<void> =>
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'True', message });
  const expectHealthy = async (): Promise<void> => {
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 3 });
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'False' });
  };
  const knownNodes = (): number => cluster.redis.knownBy(cluster.addressOf('example-0-0')).length;

  test('waits for a Pod that is not ready, with the nodes that were there', async () => {
    await cluster.form({ replicas: 0 });
    await cluster.setReady('example-1-0', false);
    await cluster.api.advance('1s');
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', reason: 'WaitingForPods', masters: 3 });
    expect((await cluster.status())?.nodes).toHaveLength(3);
    await cluster.setReady('example-1-0', true);
    await cluster.api.advance('1s');
    await expectHealthy();
  });

  test('forgets a node that was replaced, and gives its slots to the new one', async () => {
    await cluster.form({ replicas: 0 });
    await cluster.end('example-1-0');
    await cluster.run();
    expect(cluster.reasons.slice(-4)).toEqual([
      'MeetingNodes',
      'WaitingForGossip',
      'AssigningSlots',
      undefined,
    ]);
    await expectHealthy();
    expect(knownNodes()).toBe(3);
    expect((await cluster.slots())['example-1-0']).toBe(5461);
  });

  test('forgets a node whose address another one has', async () => {
    await cluster.form({ replicas: 0 });
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
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', reason: 'WaitingForLostNodes' });
    cluster.redis.failOver(replica);
    await cluster.api.advance('3s');
    await expectHealthy();
    expect(knownNodes()).toBe(6);
    expect(await cluster.slots()).toMatchObject({ 'example-1-0': undefined, 'example-1-1': 5461 });
  });

  test('waits until the others agree that a node is lost', async () => {
    await cluster.form();
    cluster.redis.gossips = false;
    await cluster.end('example-1-1');
    await cluster.change({ replicas: 0 });
    await cluster.run();
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', reason: 'WaitingForLostNodes' });
    cluster.redis.gossips = true;
    await cluster.api.advance('3s');
    await expectHealthy();
    expect(knownNodes()).toBe(3);
  });

  test('shows a replica that has become the master', async () => {
    await cluster.form();
    cluster.redis.failOver(cluster.addressOf('example-2-1'));
    await cluster.api.advance('15s');
    await expectHealthy();
    expect(await cluster.slots()).toMatchObject({ 'example-2-0': undefined, 'example-2-1': 5461 });
  });

  test('leaves slots with a shard to remove while its Pod is away', async () => {
    await cluster.form({ masters: 4, replicas: 0 });
    cluster.redis.put('kept', 16_383);
    const address = cluster.addressOf('example-3-0');
    cluster.redis.stop(address);
    await cluster.setReady('example-3-0', false);
    await cluster.change({ masters: 3 });
    expect(await cluster.status()).toMatchObject({ phase: 'Scaling', reason: 'WaitingForLostNodes' });
    cluster.redis.start(address);
    await cluster.setReady('example-3-0', true);
    await cluster.api.advance('3s');
    await expectHealthy();
    expect(cluster.redis.keys).toEqual(['kept']);
  });

  test('removes what is left of a shard whose removal was interrupted', async () => {
    await cluster.form({ masters: 4, replicas: 0 });
    await cluster.api.client.delete(Service, { ...key, name: 'example-3' });
    cluster.redis.errors.set('CLUSTER FORGET', new Error('broken pipe'));
    await expect(cluster.change({ masters: 3 })).rejects.toThrow('broken pipe');
    await expectDegraded('broken pipe');
    cluster.redis.errors.clear();
    await cluster.api.advance('10s');
    await cluster.run();
    await expectHealthy();
    expect(await cluster.names(StatefulSet)).toEqual(['example-0', 'example-1', 'example-2']);
  });

  test('shows an error of redis in its status until it is over', async () => {
    await cluster.form({ replicas: 0 });
    const address = cluster.addressOf('example-2-0');
    cluster.redis.stop(address);
    await expect(cluster.change({ config: { maxmemory: '1gb' } })).rejects.toThrow('ECONNREFUSED');
    await expectDegraded(`connect ECONNREFUSED ${address}:6379`);
    expect(await cluster.status()).toMatchObject({ masters: 3 });
    cluster.redis.start(address);
    await cluster.api.advance('10s');
    await expectHealthy();
  });

  test('goes on with a slot whose move was interrupted', async () => {
    await cluster.form({ replicas: 0 });
    cluster.redis.put('kept', 5461);
    await cluster.change({ masters: 4 });
    cluster.redis.errors.set('MIGRATE', new Error('IOERR error or timeout writing to target instance'));
    await expect(cluster.run()).rejects.toThrow('IOERR');
    await expectDegraded('IOERR error or timeout writing to target instance');
    cluster.redis.errors.clear();
    await cluster.api.advance('10s');
    expect(await cluster.status()).toMatchObject({ phase: 'Healthy', masters: 4 });
    expect(cluster.redis.keys).toEqual(['kept']);
  });

  test('is not held up for long by a server that does not answer', async () => {
    await cluster.form({ replicas: 0 });
    cluster.redis.hang(cluster.addressOf('example-2-0'));
    await cluster.api.advance('3m');
    expect(cluster.degradations).toEqual([expect.stringContaining('did not end within 2m')]);
    await expectHealthy();
  });

  test('follows the Pods of its StatefulSets alone', async () => {
    await cluster.form({ replicas: 0 });
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
    using admin = new RedisAdmin(redis, new AbortController().signal);
    expect(await admin.nodes('10.0.0.1')).toMatchObject([{ ip: '10.0.0.1', slots: [], isLinked: true }]);
    redis.stop('10.0.0.1');
    await expect(admin.isServing('10.0.0.1')).rejects.toThrow('ECONNREFUSED');
    redis.start('10.0.0.1');
    expect(await admin.isServing('10.0.0.1')).toBe(false);
  });
});
