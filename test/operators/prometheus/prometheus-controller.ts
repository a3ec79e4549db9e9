import {
  conditionsOf,
  defineController,
  matchesSelector,
  terminalError,
  watch,
  type KubeObject,
  type MapContext,
  type ObjectKey,
  type Stored,
} from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { Pod, Secret, Service } from 'opsdk/k8s/core/v1';
import { Prometheus, type PrometheusStatus } from './api/prometheus.ts';
import { ServiceMonitor } from './api/service-monitor.ts';
import { desiredSecret, desiredService, desiredStatefulSet, nameOf } from './desired.ts';

/** Keeps a StatefulSet for each Prometheus, with a configuration of the ServiceMonitors that it selects. */
export const prometheusController = defineController({
  for: Prometheus,
  owns: [StatefulSet, Service, Secret],
  watches: [
    // All of the namespace: one whose labels have changed may have been selected before.
    watch(ServiceMonitor, { map: prometheusesBeside }),
    watch(Service, { map: prometheusesBeside }),
    watch(Pod, { map: prometheusesBeside }),
  ],
  async reconcile(prometheus, { client, key }) {
    const { namespace } = key;
    if (prometheus.spec.paused !== true) {
      const parts = {
        monitors: selectedMonitors(prometheus, (await client.list(ServiceMonitor, { namespace })).items),
        services: (await client.list(Service, { namespace })).items,
        pods: (await client.list(Pod, { namespace })).items,
      };
      await client.apply(Secret, desiredSecret(prometheus, parts));
      await client.apply(Service, desiredService(prometheus));
      await client.apply(StatefulSet, desiredStatefulSet(prometheus));
    }
    const statefulSet = await client.find(StatefulSet, { name: nameOf(prometheus), namespace });
    await client.applyStatus(Prometheus, key, observedStatus(prometheus, statefulSet));
  },
  async onError(prometheus, error, { client, key }) {
    const statefulSet = await client.find(StatefulSet, { ...key, name: nameOf(prometheus) });
    await client.applyStatus(Prometheus, key, observedStatus(prometheus, statefulSet, error));
  },
});

/** Returns the Prometheuses in the namespace of an object. */
async function prometheusesBeside(
  { metadata: { namespace = '' } }: Stored<KubeObject>,
  { client }: MapContext,
): Promise<readonly ObjectKey[]> {
  return (await client.list(Prometheus, { namespace })).items.map(({ metadata }) => metadata);
}

function selectedMonitors(
  { spec }: Prometheus,
  monitors: readonly ServiceMonitor[],
): readonly ServiceMonitor[] {
  try {
    return monitors.filter(({ metadata }) => matchesSelector(spec.serviceMonitorSelector, metadata.labels));
  } catch (error) {
    // The selector is wrong until somebody changes it.
    throw terminalError(error);
  }
}

/** @param error of the reconcile, if it has failed */
function observedStatus(
  prometheus: Prometheus,
  statefulSet: StatefulSet | undefined,
  error?: Error,
): PrometheusStatus {
  const { paused = false, replicas: wanted = 1 } = prometheus.spec;
  const { replicas = 0, availableReplicas = 0 } = statefulSet?.status ?? {};
  const conditions = conditionsOf(prometheus, ['Available', 'Reconciled']);
  const message = `${availableReplicas} of ${wanted} Pods are available`;
  if (availableReplicas >= wanted) conditions.true('Available', 'AllReplicas', message);
  else conditions.false('Available', 'SomePodsNotReady', message);
  if (error !== undefined) conditions.false('Reconciled', 'ReconcileFailed', error.message);
  else if (paused) conditions.unknown('Reconciled', 'Paused');
  else conditions.true('Reconciled', 'Done');
  return { paused, replicas, availableReplicas, conditions: conditions.toJSON() };
}
