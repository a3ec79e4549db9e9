import { conditionsOf, defineController } from 'opsdk';
import { Memcached, type MemcachedStatus } from '../../api/cache/v1/memcached.ts';

/** The status of a Memcached. Replace it by what your operator observes. */
export function observedStatus(memcached: Memcached): MemcachedStatus {
  const conditions = conditionsOf(memcached, ['MemcachedBackupReady']);
  conditions.true('MemcachedBackupReady', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const memcachedBackupController = defineController({
  name: 'memcached-backup',
  for: Memcached,
  // Called when a Memcached was created or changed, with the object as it is now.
  async reconcile(memcached, { client, key }) {
    // Create what memcached.spec asks for, then report what you observe.
    await client.applyStatus(Memcached, key, observedStatus(memcached));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(memcached, { message }, { client, key }) {
    const conditions = conditionsOf(memcached, ['MemcachedBackupReady']);
    conditions.false('MemcachedBackupReady', 'ReconcileFailed', message);
    await client.applyStatus(Memcached, key, { conditions: conditions.toJSON() });
  },
});
