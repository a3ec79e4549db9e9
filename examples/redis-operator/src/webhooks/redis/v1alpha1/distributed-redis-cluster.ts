import { defineWebhook, type AdmissionContext, type DeepReadonly } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
import { DistributedRedisCluster } from '../../../api/redis/v1alpha1/distributed-redis-cluster.ts';

// The API server asks these functions before it stores a DistributedRedisCluster. After a change of the settings, `op-sdk generate manifests` brings
// config/webhook/manifests.yaml up to date. What depends on the object alone is refused by the rules of its schema; what is said here is allowed.

export const distributedRedisClusterWebhook = defineWebhook(DistributedRedisCluster, {
  validate: {
    create: (cluster, context) => warnAbout(cluster, context),
    async update(cluster, before, context) {
      await warnAbout(cluster, context);
      warnAboutSize(cluster, before, context);
    },
    delete({ spec }, { warn }) {
      if (spec.storage?.deleteClaim === true)
        warn('spec.storage.deleteClaim is true: the data is deleted, too');
    },
  },
});

async function warnAbout(
  { metadata, spec }: DeepReadonly<DistributedRedisCluster>,
  { client, warn }: AdmissionContext,
): Promise<void> {
  const isEphemeral = spec.storage?.type !== 'persistent-claim';
  if (spec.clusterReplicas === 0 && isEphemeral)
    warn('without replicas and claims, the keys of a shard are lost with its Pod');
  const secretName = spec.passwordSecret?.name;
  if (secretName === undefined) {
    warn('spec.passwordSecret is missing: everybody in the cluster can read and write');
    return;
  }
  const name = { name: secretName, namespace: metadata?.namespace };
  if ((await client.live.find(Secret, name)) === undefined)
    warn(`Secret ${secretName} does not exist yet: the cluster waits for it`);
}

/** Warns of changes of the number of masters that are made whatever the load, or not at all. */
function warnAboutSize(
  { spec: { autoscaling, masterSize = 3 } }: DeepReadonly<DistributedRedisCluster>,
  { spec: before, status }: DeepReadonly<DistributedRedisCluster>,
  { warn }: AdmissionContext,
): void {
  if (autoscaling !== undefined && before.autoscaling !== undefined && masterSize !== before.masterSize)
    warn('spec.masterSize has no effect while spec.autoscaling is set');
  const decided = status?.autoscaling?.desiredMasters;
  if (before.autoscaling === undefined || decided === undefined) return;
  if (autoscaling === undefined && masterSize !== decided)
    warn(
      `without spec.autoscaling the cluster goes from ${decided} masters to ${masterSize}, the number in spec.masterSize`,
    );
  else if (autoscaling !== undefined && autoscaling.maxMasters < decided)
    warn(
      `spec.autoscaling.maxMasters: the data of ${decided} masters has to fit on ${autoscaling.maxMasters}`,
    );
}
