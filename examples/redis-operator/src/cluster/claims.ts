import { milliValue, type ReconcileContext, type Stored } from 'opsdk';
import { PersistentVolumeClaim } from 'opsdk/k8s/core/v1';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import { labelsOf, selectorOf } from './names.ts';

type Context = Pick<ReconcileContext, 'client' | 'key'>;

/** Deletes claims: neither the garbage collector nor a StatefulSet does it. */
export async function deleteClaims(
  { client, key }: Context,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const scope = { namespace: key.namespace, labelSelector: selectorOf(labels) };
  for (const { metadata } of (await client.live.list(PersistentVolumeClaim, scope)).items)
    await client.delete(PersistentVolumeClaim, metadata, { ignoreNotFound: true });
}

/** Gives claims the size of the spec. The template of a StatefulSet cannot be changed, but its claims can grow. */
export async function growClaims(
  cluster: Stored<DistributedRedisCluster>,
  { client, key }: Context,
): Promise<void> {
  const { storage } = cluster.spec;
  if (storage?.type !== 'persistent-claim' || storage.size === undefined) return;
  const scope = { namespace: key.namespace, labelSelector: selectorOf(labelsOf(cluster)) };
  for (const { metadata, spec, status } of (await client.live.list(PersistentVolumeClaim, scope)).items) {
    // Only a claim that has a volume can grow.
    if (status?.phase !== 'Bound') continue;
    // A claim never shrinks; `1024Mi` is the `1Gi` that is stored.
    if (milliValue(spec?.resources?.requests?.['storage'] ?? 0) >= milliValue(storage.size)) continue;
    await client.mergePatch(PersistentVolumeClaim, metadata, {
      spec: { resources: { requests: { storage: storage.size } } },
    });
  }
}
