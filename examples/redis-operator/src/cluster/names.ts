import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';

/** Label with the shard of a Pod, a claim or a StatefulSet. */
export const shardLabel = 'redis.kun/shard';

/** Label with the cluster of everything that belongs to it. */
export const clusterLabel = 'redis.kun/cluster';

type Named = Pick<DistributedRedisCluster, 'metadata'>;

export function labelsOf({ metadata: { name = '' } }: Named): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'redis',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/managed-by': 'redis-operator',
    [clusterLabel]: name,
  };
}

/** Returns the selector of objects that have the labels. */
export function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map((label) => label.join('='))
    .join();
}

export const shardName = ({ metadata }: Named, index: number): string => `${metadata.name}-${index}`;
export const nodesServiceName = ({ metadata }: Named): string => `${metadata.name}-nodes`;
export const clientServiceName = ({ metadata }: Named): string => metadata.name ?? '';
export const configName = ({ metadata }: Named): string => `${metadata.name}-redis`;
export const restoreJobName = ({ metadata }: Named): string => `${metadata.name}-restore`;

/** Returns the names of the shards of a cluster with a number of masters. */
export function wantedShards(cluster: Named, masters: number): readonly string[] {
  return Array.from({ length: masters }, (_, index) => shardName(cluster, index));
}
