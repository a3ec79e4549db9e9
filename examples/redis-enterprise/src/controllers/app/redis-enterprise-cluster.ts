import { conditionsOf, defineController, isTypeNotServed, requeueAfter, type ReconcileContext } from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { Service } from 'opsdk/k8s/core/v1';
import { RedisEnterpriseCluster } from '../../api/app/v1alpha1/redis-enterprise-cluster.ts';
import { PodMetrics } from '../../api/metrics/v1beta1/pod-metrics.ts';
import { desiredService, desiredStatefulSet, labelsOf } from '../../cluster/desired.ts';
import { observedStatus } from '../../cluster/observed-status.ts';
import { usageOf } from '../../cluster/usage.ts';

export const redisEnterpriseClusterController = defineController({
  for: RedisEnterpriseCluster,
  owns: [StatefulSet, Service],
  async reconcile(cluster, context) {
    const { client, events, key } = context;
    await client.apply(Service, desiredService(cluster));
    const nodes = await client.apply(StatefulSet, desiredStatefulSet(cluster));
    const metrics = await metricsOf(cluster, context);
    const status = observedStatus(cluster, nodes, usageOf(metrics ?? []));
    await client.applyStatus(RedisEnterpriseCluster, key, status);
    const { phase, message } = status;
    if (phase !== cluster.status?.phase) events.normal('PhaseChanged', `${phase}: ${message}`);
    // Nothing says when the usage has changed.
    if (metrics !== undefined) return requeueAfter('1m');
  },
  async onError(cluster, { message }, { client, key }) {
    const conditions = conditionsOf(cluster, ['Ready']).false('Ready', 'ReconcileFailed', message);
    await client.mergeStatus(RedisEnterpriseCluster, key, { message, conditions: conditions.toJSON() });
  },
});

/** The metrics of the Pods; undefined in a cluster that has none. */
async function metricsOf(
  cluster: RedisEnterpriseCluster,
  { client, key, log }: ReconcileContext,
): Promise<readonly PodMetrics[] | undefined> {
  const labelSelector = Object.entries(labelsOf(cluster))
    .map((label) => label.join('='))
    .join();
  try {
    return (await client.live.list(PodMetrics, { namespace: key.namespace, labelSelector })).items;
  } catch (error) {
    if (isTypeNotServed(error)) return undefined;
    log.warn({ error }, 'Usage is unknown'); // the rest of the status is right without it
    return [];
  }
}
