import { conditionsOf, defineController } from 'opsdk';
import { Redis, type RedisStatus } from '../../api/cache/v1/redis.ts';

/** The status of a Redis. Replace it by what your operator observes. */
export function observedStatus(redis: Redis): RedisStatus {
  const conditions = conditionsOf(redis, ['RedisFailoverReady']);
  conditions.true('RedisFailoverReady', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const redisFailoverController = defineController({
  name: 'redis-failover-controller',
  for: Redis,
  // Called when a Redis was created or changed, with the object as it is now.
  async reconcile(redis, { client, key }) {
    // Create what redis.spec asks for, then report what you observe.
    await client.applyStatus(Redis, key, observedStatus(redis));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(redis, { message }, { client, key }) {
    const conditions = conditionsOf(redis, ['RedisFailoverReady']);
    conditions.false('RedisFailoverReady', 'ReconcileFailed', message);
    await client.applyStatus(Redis, key, { conditions: conditions.toJSON() });
  },
});
