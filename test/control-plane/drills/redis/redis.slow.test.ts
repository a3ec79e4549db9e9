import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PersistentVolumeClaim, Pod, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  DistributedRedisCluster,
  type DistributedRedisClusterSpec,
  type RedisNode,
} from '../../../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { isInstalled } from '../../../helpers/guide.ts';
import { isThorough } from '../../../helpers/thorough.ts';
import { namespace, RedisDrill, slow } from './redis-drill.ts';

const key = { name: 'example', namespace };
const hasProgram = isInstalled('redis-server', process.env['PATH'] ?? '');

describe.skipIf(process.platform !== 'linux' || !hasProgram)(
  `Redis, whose nodes are processes${hasProgram ? '' : ' (redis-server is not installed)'}`,
  { timeout: 300_000 },
  () => {
    let redis: RedisDrill;
    let nodes: readonly RedisNode[] = [];
    beforeAll(async () => {
      redis = await RedisDrill.start('secret');
      await redis.drill.client.create(Secret, {
        metadata: { name: 'redis-password', namespace },
        stringData: { password: 'secret' },
      });
      await redis.drill.client.create(DistributedRedisCluster, {
        metadata: key,
        spec: { masterSize: 3, clusterReplicas: 1, passwordSecret: { name: 'redis-password' } },
      });
    }, 300_000);
    afterAll(() => redis?.[Symbol.asyncDispose]());

    const change = (spec: Partial<DistributedRedisClusterSpec>) =>
      redis.drill.client.patch(DistributedRedisCluster, key, { type: 'merge', body: { spec } });
    const untilHealthy = async (masters = 3): Promise<void> => {
      nodes = await redis.untilHealthy('example', masters, masters);
    };
    const masterOf = (shard: string): RedisNode => {
      const master = nodes.find(({ pod, role }) => pod.startsWith(`${shard}-`) && role === 'Master');
      if (master === undefined) throw new Error(`${shard} has no master`);
      return master;
    };
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
    const expectKeys = async (of: readonly RedisNode[] = nodes): Promise<void> =>
      expect(await Promise.all(keys.map((name) => redis.call(of[0], 'GET', name)))).toEqual(keys);
    /** Checks that no node of Kubernetes has a master and its replica. */
    const expectSpread = (): void => {
      for (const shard of ['example-0', 'example-1', 'example-2']) {
        const hosts = nodes.filter(({ pod }) => pod.startsWith(`${shard}-`)).map(({ nodeName }) => nodeName);
        expect(new Set(hosts).size, shard).toBe(2);
      }
    };

    test('forms a cluster whose replicas are on other nodes than their masters', async () => {
      await untilHealthy();
      expectSpread();
      await Promise.all(keys.map((name) => redis.call(nodes[0], 'SET', name, name)));
      await expectKeys();
    });

    test('grows to four masters and shrinks to three with its keys', async () => {
      for (const masterSize of [4, 3]) {
        await change({ masterSize });
        await untilHealthy(masterSize);
        await expectKeys();
      }
    });

    /** Deletes the Pods of masters with their data, and waits until nodes without data are in their places. */
    const loseMasters = async (...shards: readonly string[]): Promise<void> => {
      const masters = shards.map(masterOf);
      await Promise.all(masters.map(({ pod }) => redis.drill.client.delete(Pod, { name: pod, namespace })));
      await eventually(async () => {
        const { status } = await redis.drill.client.get(DistributedRedisCluster, key);
        for (const { pod, id } of masters)
          expect(status?.nodes?.find((node) => node.pod === pod)?.id ?? id).not.toBe(id);
      }, slow);
      await untilHealthy();
      for (const { pod, ip, id } of masters) {
        const node = nodes.find((each) => each.pod === pod);
        expect(node?.ip).toBe(ip);
        expect(node?.id).not.toBe(id);
      }
      await expectKeys();
    };

    test('lets a replica take over from a master that comes back without its data', async () => {
      await loseMasters('example-1');
    });

    test.runIf(isThorough)('promotes replicas where most masters come back without their data', async () => {
      await loseMasters('example-0', 'example-1');
    });

    test.runIf(isThorough)('keeps its keys when a node is killed', async () => {
      redis.drill.plane.workloads.pods({ name: masterOf('example-2').pod }).crash({ exitCode: 137 });
      await eventually(() => expectKeys(), slow);
      await untilHealthy();
    });

    test.runIf(isThorough)('replaces all Pods for another configuration, with its keys', async () => {
      const before = new Set(nodes.map(({ id }) => id));
      await change({ config: { 'maxmemory-policy': 'allkeys-lru' } });
      await eventually(
        async () => {
          const { status } = await redis.drill.client.get(DistributedRedisCluster, key);
          expect(status?.nodes?.filter(({ id }) => before.has(id))).toEqual([]);
        },
        { timeout: 240_000 },
      );
      await untilHealthy();
      await expectKeys();
      const answer = await redis.call(nodes[0], 'CONFIG', 'GET', 'maxmemory-policy');
      expect(answer).toEqual(['maxmemory-policy', 'allkeys-lru']);
    });

    test.runIf(isThorough)('serves all keys after the loss of a node', async () => {
      const host = masterOf('example-0').nodeName;
      const lost = redis.drill.plane.workloads.nodes.find(({ name }) => name === host);
      const left = nodes.filter(({ nodeName }) => nodeName !== host);
      lost?.down();
      await eventually(() => expectKeys(left), slow);
      lost?.up();
      await untilHealthy();
      expectSpread();
      await expectKeys();
    });

    test.runIf(isThorough)('leaves nothing behind', async () => {
      await redis.drill.client.delete(DistributedRedisCluster, key);
      await eventually(async () => {
        const claims = (await redis.drill.client.list(PersistentVolumeClaim, { namespace })).items;
        const pods = (await redis.drill.client.list(Pod, { namespace, labelSelector: 'redis.kun/cluster' }))
          .items;
        expect([...claims, ...pods].map(({ metadata }) => metadata.name)).toEqual([]);
      }, slow);
    });
  },
);
