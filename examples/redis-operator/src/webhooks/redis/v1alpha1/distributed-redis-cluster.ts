import { defineWebhook, type AdmissionContext, type DeepReadonly } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
import { DistributedRedisCluster } from '../../../api/redis/v1alpha1/distributed-redis-cluster.ts';

// The API server asks these functions before it stores a DistributedRedisCluster. After a change of the settings, `op-sdk generate manifests` brings
// config/webhook/manifests.yaml up to date. What depends on the object alone is refused by the rules of its schema; what is said here is allowed.

export const distributedRedisClusterWebhook = defineWebhook(DistributedRedisCluster, {
  validate: {
    create: warnAbout,
    update: warnAbout,
    delete({ spec }, { warn }) {
      if (spec.storage?.deleteClaim === true)
        warn('spec.storage.deleteClaim is true: the data is deleted, too');
    },
  },
});

async function warnAbout(
  { metadata, spec }: DeepReadonly<DistributedRedisCluster>,
  ...rest: readonly unknown[]
): Promise<void> {
  const { client, warn } = rest.at(-1) as AdmissionContext;
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
