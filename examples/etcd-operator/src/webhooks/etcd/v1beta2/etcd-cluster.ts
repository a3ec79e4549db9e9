import { defineWebhook, type DeepReadonly } from 'opsdk';
import { EtcdCluster } from '../../../api/etcd/v1beta2/etcd-cluster.ts';

/** Returns what is allowed, and seldom meant. What is not allowed, the schema and its rules refuse. */
export function warningsOf({ spec }: DeepReadonly<EtcdCluster>): readonly string[] {
  const { size = 3, storage } = spec;
  const warnings: string[] = [];
  if (size % 2 === 0)
    warnings.push(
      `spec.size: ${size} members tolerate no more failures than ${size - 1}, and need one more for a quorum`,
    );
  if (size === 1 && storage === undefined)
    warnings.push('spec.storage: without it, all data is lost with the only Pod');
  return warnings;
}

export const etcdClusterWebhook = defineWebhook(EtcdCluster, {
  validate: {
    create(cluster, { warn }) {
      for (const warning of warningsOf(cluster)) warn(warning);
      return [];
    },
    update(cluster, old, { warn }) {
      // The operator's own writes change neither, and need no warning again.
      const former = warningsOf(old);
      for (const warning of warningsOf(cluster)) if (!former.includes(warning)) warn(warning);
      return [];
    },
  },
  // Nothing is refused: a cluster can be created and repaired while the operator is down.
  failurePolicy: 'Ignore',
  timeoutSeconds: 5,
});
