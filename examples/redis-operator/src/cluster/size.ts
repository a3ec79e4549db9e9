import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';

/** Least number of masters that can replace one of them by a vote. */
export const fewestMasters = 3;

/**
 * Returns the number of masters that a cluster should have: `masterSize`, or what the operator has decided last, within the bounds of
 * `autoscaling`. Without a decision, such as of a cluster that is new, or whose status was lost, no shard that is there is given up.
 * @param shards number of shards that exist
 */
export function desiredMasters({ spec, status }: DistributedRedisCluster, shards: number): number {
  const { autoscaling, masterSize = fewestMasters } = spec;
  if (autoscaling === undefined) return masterSize;
  const { minMasters = fewestMasters, maxMasters } = autoscaling;
  const decided = status?.autoscaling?.desiredMasters ?? Math.max(masterSize, shards);
  return Math.min(Math.max(decided, minMasters), maxMasters);
}
