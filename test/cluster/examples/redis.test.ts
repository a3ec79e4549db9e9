// The Redis operator as a Pod, with no rights but those of its inferred role, and clusters of the real Redis on volumes and nodes.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  DistributedRedisCluster,
  type DistributedRedisClusterSpec,
  type RedisNode,
} from '../../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { RedisClusterBackup } from '../../../examples/redis-operator/src/api/redis/v1alpha1/redis-cluster-backup.ts';
import { RedisAdmin, tcpRedis } from '../../../examples/redis-operator/src/redis/redis-admin.ts';
import { ensureObjectStores, ensureRedis, reasonOf } from '../../../scripts/lib/test-programs.mjs';
import { Namespace, PersistentVolumeClaim, Pod, Secret } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../src/testing/index.ts';
import { callOwner } from '../../helpers/redis-cluster-call.ts';
import { addNode } from '../bed/added-node.ts';
import { firstNode, secondNode } from '../bed/addresses.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { startObjectStores, type BedObjectStores } from '../bed/object-stores.ts';
import { pushRedisImage } from '../bed/software-images.ts';
import { ExampleOperator, restartApiServer, slow } from './example-operator.ts';

const bed = inject('cluster') as ClusterBed;
const reasons =
  bed === undefined
    ? ['no cluster']
    : await Promise.all([reasonOf(ensureRedis()), reasonOf(ensureObjectStores())]);
const storesNamespace = 'redis-stores';
const password = 'secret';

describe.skipIf(reasons.some((reason) => reason !== undefined))('the Redis operator', () => {
  let operator: ExampleOperator;
  let stores: BedObjectStores;
  let image: string;
  let nodes: readonly RedisNode[] = [];
  const admin = new RedisAdmin({ redis: tcpRedis, password, signal: new AbortController().signal });

  beforeAll(async () => {
    image = await pushRedisImage(bed);
    operator = await ExampleOperator.deploy(bed, 'redis-operator');
    const { client } = operator;
    await client.create(Namespace, { metadata: { name: storesNamespace } });
    stores = await startObjectStores(bed, client, storesNamespace, ['backups']);
    const { accessKeyId, secretAccessKey } = stores.s3;
    await client.create(Secret, { metadata: key('s3'), stringData: { accessKeyId, secretAccessKey } });
    await client.create(Secret, { metadata: key('redis-password'), stringData: { password } });
  });
  afterAll(async () => {
    admin[Symbol.dispose]();
    // The operator ends them: it has a finalizer.
    await operator?.deleteAll(DistributedRedisCluster);
    await stores?.[Symbol.asyncDispose]();
    await operator?.client.delete(Namespace, { name: storesNamespace }, { ignoreNotFound: true });
    await operator?.[Symbol.asyncDispose]();
  });

  const key = (name: string) => ({ name, namespace: operator.namespace });
  const create = (name: string, spec: DistributedRedisClusterSpec) =>
    operator.client.create(DistributedRedisCluster, {
      metadata: key(name),
      spec: { image, passwordSecret: { name: 'redis-password' }, ...spec },
    });
  const change = (name: string, spec: Partial<DistributedRedisClusterSpec>) =>
    operator.client.patch(DistributedRedisCluster, key(name), { type: 'merge', body: { spec } });
  /** Waits until a cluster is in order. @returns its nodes */
  const untilHealthy = (name: string, masters: number, replicas: number): Promise<readonly RedisNode[]> =>
    eventually(async () => {
      const { metadata, status } = await operator.client.get(DistributedRedisCluster, key(name));
      const state = JSON.stringify([status?.step, status?.conditions]);
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      expect(ready, state).toMatchObject({ status: 'True', observedGeneration: metadata.generation });
      expect(status, state).toMatchObject({ phase: 'Healthy', masters, replicas });
      return status?.nodes ?? [];
    }, slow);
  const masterOf = (shard: string, of = nodes): RedisNode => {
    const master = of.find(({ pod, role }) => pod.startsWith(`${shard}-`) && role === 'Master');
    if (master === undefined) throw new Error(`${shard} has no master`);
    return master;
  };
  const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
  const writeKeys = (of: readonly RedisNode[]) =>
    Promise.all(keys.map((name) => callOwner(admin, of[0]?.ip ?? '', 'SET', name, name)));
  const expectKeys = async (of: readonly RedisNode[] = nodes): Promise<void> =>
    expect(await Promise.all(keys.map((name) => callOwner(admin, of[0]?.ip ?? '', 'GET', name)))).toEqual(
      keys,
    );
  const podUids = async (): Promise<ReadonlyMap<string, string>> => {
    const { items } = await operator.client.list(Pod, {
      namespace: operator.namespace,
      labelSelector: 'redis.kun/cluster=example',
    });
    return new Map(items.map(({ metadata }) => [metadata.name, metadata.uid]));
  };

  test('forms a cluster on volumes', async () => {
    await create('example', {
      masterSize: 3,
      clusterReplicas: 1,
      storage: { type: 'persistent-claim', size: '1Gi', deleteClaim: true },
    });
    nodes = await untilHealthy('example', 3, 3);
    await writeKeys(nodes);
    await expectKeys();
  });

  test('serves all keys after a master has lost its Pod, and has a replica of each shard again', async () => {
    const { pod } = masterOf('example-1');
    const before = await podUids();
    await operator.client.delete(Pod, key(pod), { gracePeriodSeconds: 0 });
    await eventually(async () => {
      const uid = (await podUids()).get(pod);
      expect(uid).toBeDefined();
      expect(uid).not.toBe(before.get(pod));
    }, slow);
    // The status may still be that of before.
    await eventually(async () => {
      const { items } = await operator.client.list(Pod, { namespace: operator.namespace });
      const { status } = await operator.client.get(DistributedRedisCluster, key('example'));
      const ip = items.find(({ metadata }) => metadata.name === pod)?.status?.podIP ?? '-';
      expect(status?.nodes?.find((node) => node.pod === pod)?.ip).toBe(ip);
    }, slow);
    nodes = await untilHealthy('example', 3, 3);
    await expectKeys();
  });

  test('grows to four masters while the API server and its own Pod end, and shrinks to three, with its keys', async () => {
    await change('example', { masterSize: 4 });
    await eventually(async () => expect((await podUids()).size).toBe(8), slow);
    await operator.kill();
    await restartApiServer(bed);
    nodes = await untilHealthy('example', 4, 4);
    await expectKeys();
    await change('example', { masterSize: 3 });
    nodes = await untilHealthy('example', 3, 3);
    await expectKeys();
    const claims = await operator.client.list(PersistentVolumeClaim, { namespace: operator.namespace });
    await eventually(async () => expect((await podUids()).size).toBe(6), slow);
    expect(claims.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)).toHaveLength(6);
  });

  test('saves a backup by its own image, and restores it into a cluster of another size', async () => {
    await operator.client.create(RedisClusterBackup, {
      metadata: key('nightly'),
      spec: {
        redisClusterName: 'example',
        storageSecretName: 's3',
        s3: { endpoint: stores.s3.endpoint, bucket: 'backups' },
      },
    });
    await create('copy', { masterSize: 4, clusterReplicas: 0, init: { backupSource: { name: 'nightly' } } });
    await expectKeys(await untilHealthy('copy', 4, 0));
    await operator.client.delete(DistributedRedisCluster, key('copy'));
  });

  test('leaves clusters that serve and fail over when it is removed, and takes them over when it comes back', async () => {
    await operator.remove();
    const before = await podUids();
    const { pod } = masterOf('example-0');
    await operator.client.delete(Pod, key(pod), { gracePeriodSeconds: 0 });
    const others = nodes.filter((node) => node.pod !== pod);
    await eventually(() => expectKeys(others), slow);
    await operator.deployAgain();
    await eventually(async () => {
      const { status } = await operator.client.get(DistributedRedisCluster, key('example'));
      expect(status?.nodes).not.toEqual(nodes);
    }, slow);
    nodes = await untilHealthy('example', 3, 3);
    await expectKeys();
    const after = await podUids();
    expect([...before].filter(([name, uid]) => after.get(name) !== uid).map(([name]) => name)).toEqual([pod]);
  });

  test('has replicas on other nodes than their masters, and serves all keys after the loss of a node with most masters', async () => {
    await operator.client.delete(DistributedRedisCluster, key('example'));
    const node = await addNode(bed);
    try {
      await create('spread', { masterSize: 3, clusterReplicas: 1 });
      nodes = await untilHealthy('spread', 3, 3);
      for (const shard of ['spread-0', 'spread-1', 'spread-2']) {
        const hosts = nodes.filter(({ pod }) => pod.startsWith(`${shard}-`)).map(({ nodeName }) => nodeName);
        expect([...hosts].sort(), shard).toEqual([firstNode.name, secondNode.name]);
      }
      // Without most masters nobody can vote: it is the operator that has to promote replicas.
      const farMasters = () =>
        nodes.filter(({ role, nodeName }) => role === 'Master' && nodeName === secondNode.name);
      const farReplica = nodes.find(
        ({ role, nodeName }) => role === 'Replica' && nodeName === secondNode.name,
      );
      if (farMasters().length < 2 && farReplica !== undefined) {
        await admin.failOver(farReplica.ip);
        await operator.poke(DistributedRedisCluster, 'spread');
        await eventually(async () => {
          nodes = await untilHealthy('spread', 3, 3);
          expect(farMasters()).toHaveLength(2);
        }, slow);
      }
      await writeKeys(nodes);
      await expectKeys();
      node.disconnect();
      await eventually(() => expectKeys(nodes.filter(({ nodeName }) => nodeName === firstNode.name)), slow);
      await node[Symbol.asyncDispose]();
      await eventually(async () => {
        nodes = await untilHealthy('spread', 3, 3);
        expect(new Set(nodes.map(({ nodeName }) => nodeName))).toEqual(new Set([firstNode.name]));
      }, slow);
      await expectKeys();
    } finally {
      await node[Symbol.asyncDispose]();
    }
  });

  test('was never refused by the API server', () => operator.expectNothingForbidden());
});
