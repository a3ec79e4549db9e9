import { expect } from 'vitest';
import { DistributedRedisCluster } from '../../../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { RespClient } from '../../../../examples/redis-operator/src/redis/resp-client.ts';
import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { DrillCluster } from '../start-drill.ts';

/** Label with the shard of a Pod. */
export const shardLabel = 'redis.kun/shard';

interface Key {
  readonly name: string;
  readonly namespace: string;
}

async function roleOf(host: string, password: string | undefined): Promise<string> {
  const client = new RespClient({ host, port: 6379, password });
  try {
    expect(String(await client.call('CLUSTER', 'INFO')), host).toContain('cluster_state:ok');
    const info = String(await client.call('INFO', 'replication'));
    const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
    if (field('role') === 'master') return 'master';
    expect(field('master_link_status'), host).toBe('up');
    expect(field('master_sync_in_progress'), host).toBe('0');
    return `replica of ${field('master_host')}`;
  } finally {
    client.close();
  }
}

/** Expects a shard to have a master, its other Pod to follow that one with all its data, and both to see all slots served. */
export async function expectShardHealthy(
  { client }: DrillCluster,
  { namespace }: Key,
  shard: string,
  password: string | undefined,
): Promise<void> {
  const { items } = await client.list(Pod, { namespace, labelSelector: `${shardLabel}=${shard}` });
  expect(items).toHaveLength(2);
  for (const { metadata } of items) expect(metadata.deletionTimestamp, metadata.name).toBeUndefined();
  const hosts = items.map(({ status }) => status?.podIP ?? '');
  const roles = await Promise.all(hosts.map((host) => roleOf(host, password)));
  const master = hosts[roles.indexOf('master')];
  expect([...roles].sort(), shard).toEqual(['master', `replica of ${master}`]);
}

/** Expects all shards to be in order, and the operator to have nothing left to do. */
export async function expectClusterHealthy(
  cluster: DrillCluster,
  key: Key,
  masters: number,
  password: string | undefined,
): Promise<void> {
  for (let index = 0; index < masters; index++)
    await expectShardHealthy(cluster, key, `${key.name}-${index}`, password);
  const { status } = await cluster.client.get(DistributedRedisCluster, key);
  expect(status).toMatchObject({ phase: 'Healthy', masters, replicas: masters });
  expect((status?.nodes ?? []).reduce((sum, { slots }) => sum + slots, 0)).toBe(16_384);
}
