import { milliValue } from 'opsdk';
import type { DistributedRedisClusterSpec } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { masterOf, type Observed } from './observed.ts';

/** Load of the master of a shard. Figures that are not known are undefined, never 0. */
export interface ShardLoad {
  readonly shard: string;
  /** Pod of the master. */
  readonly pod: string;
  /** Bytes that Redis uses. */
  readonly memory: number | undefined;
  /** Bytes that it may use: `maxmemory` or the memory limit of its container, whichever is less. Infinity if it has neither. */
  readonly memoryLimit: number | undefined;
  readonly operationsPerSecond: number | undefined;
}

/** Returns the loads of the wanted shards, in their order, without those whose master is not known. */
export function shardLoads(
  { resources }: Pick<DistributedRedisClusterSpec, 'resources'>,
  { members, wanted }: Pick<Observed, 'members' | 'wanted'>,
): readonly ShardLoad[] {
  const limit = resources?.limits?.['memory'];
  const containerLimit = limit === undefined ? undefined : Number(milliValue(limit) / 1000n);
  return wanted.flatMap((shard) => {
    const master = masterOf(members, shard);
    if (master === undefined) return [];
    const { usedMemory, maxMemory, operationsPerSecond } = master.load;
    // Without the answer whether there is a maxmemory, the limit is not known.
    const memoryLimit = maxMemory === undefined ? undefined : lowest(maxMemory, containerLimit);
    return [{ shard, pod: master.name, memory: usedMemory, memoryLimit, operationsPerSecond }];
  });
}

function lowest(...limits: readonly (number | undefined)[]): number {
  return Math.min(...limits.filter((limit) => limit !== undefined && limit > 0).map(Number));
}

/** Returns the part of its memory that a shard uses; undefined if that is not known, or it has no limit. */
export function memoryUtilization({ memory, memoryLimit = Infinity }: ShardLoad): number | undefined {
  return memory === undefined || memoryLimit === Infinity ? undefined : memory / memoryLimit;
}

/** Returns the average of all values; undefined if one of them is not known, or there are none. */
export function averageOf(values: readonly (number | undefined)[]): number | undefined {
  if (values.length === 0) return undefined;
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum / values.length;
}
