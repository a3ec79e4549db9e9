import { anyOf, conditionsOf, defineController, generationChanged } from 'opsdk';
import { owned, ownedBy, requeueAfter, type ApplyObject, type ObjectEvent } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Memcached, type MemcachedStatus } from '../../api/cache/v1alpha1/memcached.ts';

export const memcachedController = defineController({
  for: Memcached,
  // A change of a Deployment that ownedBy() put under a Memcached reconciles that Memcached.
  owns: [owned(Deployment, { predicates: [anyOf(generationChanged, podsChanged)] })],
  async reconcile(memcached, { client, events, key }) {
    const before = await client.find(Deployment, key); // from the cache
    const deployment = await client.apply(Deployment, desiredDeployment(memcached)); // server-side apply
    await client.applyStatus(Memcached, key, observedStatus(memcached, deployment));
    const [from, to] = [before?.spec?.replicas ?? 0, deployment.spec?.replicas ?? 0];
    if (from !== to) events.normal('Scaled', `from ${from} to ${to} Pods`, { related: deployment });
  },
  // The garbage collector deletes the Deployment, but only once the Memcached is gone: let the Pods end before.
  async finalize(memcached, { client, key }) {
    const isOrphaned = memcached.metadata.finalizers?.includes('orphan'); // kubectl delete --cascade=orphan
    if (isOrphaned || (await client.find(Deployment, key)) === undefined) return;
    const { status } = await client.apply(Deployment, desiredDeployment(memcached, 0));
    if (status?.replicas) return requeueAfter('1m'); // sooner if the Deployment changes
  },
});

/** A Deployment reports much that does not matter here. */
function podsChanged(change: ObjectEvent<Deployment>): boolean {
  if (change.type !== 'update') return true;
  const [now, before] = [change.object.status, change.oldObject.status];
  return now?.replicas !== before?.replicas || now?.readyReplicas !== before?.readyReplicas;
}

/** The fields of the Deployment that the operator decides. */
export function desiredDeployment(
  memcached: Memcached,
  replicas = memcached.spec.size,
): ApplyObject<Deployment> {
  const { name } = memcached.metadata;
  const labels = { 'app.kubernetes.io/name': 'memcached', 'app.kubernetes.io/instance': name };
  const containers = [
    { name: 'memcached', image: 'memcached:1.6-alpine', ports: [{ containerPort: 11211 }] },
  ];
  return {
    metadata: { name, labels, ...ownedBy(memcached) },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

export function observedStatus(memcached: Memcached, deployment: Deployment): MemcachedStatus {
  const size = deployment.spec?.replicas ?? 1;
  const readyReplicas = deployment.status?.readyReplicas ?? 0;
  const message = `${readyReplicas} of ${size} Pods are ready`;
  // The condition types that this controller sets; those of others stay as they are.
  const conditions = conditionsOf(memcached, ['Available']);
  if (readyReplicas >= size) conditions.true('Available', 'PodsReady', message);
  else conditions.false('Available', 'PodsNotReady', message);
  return { readyReplicas, conditions: conditions.toJSON() };
}
