// Kills of masters, replicas, nodes, the operator and the API server, by a seed, while a client writes: `CHAOS_SEED=7 CHAOS_SECONDS=180`.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  DistributedRedisCluster,
  type RedisStorage,
} from '../../../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { isInstalled } from '../../../helpers/guide.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { chaosRun, chaosTimeout, healing } from '../chaos/chaos-run.ts';
import { ChaosOperator } from '../chaos/chaos-operator.ts';
import { describePods } from '../chaos/describe-pods.ts';
import { PodFaults } from '../chaos/pod-faults.ts';
import type { LanePlan } from '../chaos/schedule.ts';
import { bundleExample } from '../operator-program.ts';
import { startDrillCluster } from '../start-drill.ts';
import { expectClusterHealthy, expectShardHealthy, shardLabel } from './redis-health.ts';
import { RedisWriter } from './redis-writer.ts';

const key = { name: 'example', namespace: 'default' };
const labelSelector = `redis.kun/cluster=${key.name}`;
const masters = 3;
const hasProgram = isInstalled('redis-server', process.env['PATH'] ?? '');

const nodes: LanePlan = {
  name: 'nodes',
  gap: [1000, 6000],
  kinds: {
    'kill-process': { weight: 2 },
    'delete-pod': { weight: 2 },
    'force-delete-pod': { weight: 2 },
    // Shorter and longer than it takes until a replica has the role.
    'stop-node': { weight: 1, lasts: [2000, 15_000] },
  },
};

describe.skipIf(process.platform !== 'linux' || !hasProgram)(
  `chaos in Redis${hasProgram ? '' : ' (redis-server is not installed)'}`,
  () => {
    test.each<{ readonly title: string; readonly storage: RedisStorage; readonly mayOverlap: boolean }>([
      { title: 'one node of a shard at a time', storage: { type: 'ephemeral' }, mayOverlap: false },
      {
        title: 'any nodes with claims at any time',
        storage: { type: 'persistent-claim', size: '1Gi' },
        mayOverlap: true,
      },
    ])(
      'keeps acknowledged writes: $title',
      { timeout: chaosTimeout },
      async ({ title, storage, mayOverlap }) => {
        await using program = await bundleExample('redis-operator');
        await using cluster = await startDrillCluster({
          operator: { project: join(repositoryRoot, 'examples/redis-operator') },
          nodes: 3,
          runProcesses: {
            redis: ({ command: [file = '', ...command], args }) => ({ file, args: [...command, ...args] }),
          },
        });
        await using operator = await ChaosOperator.start(program, cluster);
        await cluster.client.create(DistributedRedisCluster, {
          metadata: key,
          spec: { masterSize: masters, clusterReplicas: 1, storage },
        });
        const pods = new PodFaults(cluster, {
          namespace: key.namespace,
          labelSelector,
          ...(mayOverlap
            ? {}
            : {
                groupOf: ({ metadata }: Pod) => metadata.labels?.[shardLabel] ?? '',
                expectHealthy: (shard: string) => expectShardHealthy(cluster, key, shard, undefined),
              }),
        });
        let hosts: readonly string[] = [];
        const writers = Array.from({ length: 6 }, () => new RedisWriter(() => hosts, undefined));
        const untilHealthy = async (): Promise<void> => {
          await eventually(() => expectClusterHealthy(cluster, key, masters, undefined), healing);
          const { items } = await cluster.client.list(Pod, { namespace: key.namespace, labelSelector });
          hosts = items.map(({ status }) => status?.podIP ?? '');
        };
        try {
          const verdict = await chaosRun({
            ...{ title, cluster, operator, pods, untilHealthy },
            // Faults of different shards may be at the same time.
            lane: { plan: nodes, mayOverlap: true },
            puts: writers.map(({ put }) => put),
            describe: async () => {
              const { status } = await cluster.client.get(DistributedRedisCluster, key);
              return `${JSON.stringify(status)}\n${await describePods(cluster, key.namespace, labelSelector)}`;
            },
            readAll: async (keys) => {
              const [reader] = writers;
              const values = new Map<string, string>();
              for (const name of keys) {
                const value = await eventually(async () => reader?.get(name), healing);
                if (value !== undefined) values.set(name, value);
              }
              return values;
            },
          });
          expect(verdict).toMatchObject({ lost: [], wrong: [] });
          expect(verdict.acknowledged).toBeGreaterThan(0);
          expect(operator.exits).toBe(0);
        } finally {
          for (const writer of writers) writer.close();
        }
      },
    );
  },
);
