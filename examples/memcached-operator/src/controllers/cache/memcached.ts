import { conditionsOf, defineController, ownedBy } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Memcached, type MemcachedStatus } from '../../api/cache/v1alpha1/memcached.ts';

export const memcachedController = defineController({
  for: Memcached,
  // A change of a Deployment that ownedBy() put under a Memcached reconciles that Memcached.
  owns: [Deployment],
  rbac: [
    { groups: ['apps'], resources: ['deployments'], verbs: ['create', 'patch'] },
    { groups: ['cache.example.com'], resources: ['memcacheds/status'], verbs: ['patch'] },
  ],
  async reconcile(memcached, { client, key }) {
    const deployment = await client.apply(Deployment, desiredDeployment(memcached)); // server-side apply
    await client.applyStatus(Memcached, key, observedStatus(memcached, deployment));
  },
});

/** The fields of the Deployment that the operator decides. */
export function desiredDeployment(memcached: Memcached) {
  const { name } = memcached.metadata;
  const labels = { 'app.kubernetes.io/name': 'memcached', 'app.kubernetes.io/instance': name };
  const containers = [
    { name: 'memcached', image: 'memcached:1.6-alpine', ports: [{ containerPort: 11211 }] },
  ];
  return {
    metadata: { name, labels, ...ownedBy(memcached) },
    spec: {
      replicas: memcached.spec.size,
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
