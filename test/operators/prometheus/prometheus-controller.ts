import { conditionsOf, defineController, matchesSelector, watch, type ReconcileContext } from 'opsdk';
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
    watch(ServiceMonitor, { map: ({ metadata }, { client }) => prometheusesIn(metadata.namespace, client) }),
    watch(Service, { map: ({ metadata }, { client }) => prometheusesIn(metadata.namespace, client) }),
    watch(Pod, { map: ({ metadata }, { client }) => prometheusesIn(metadata.namespace, client) }),
  ],
  async reconcile(prometheus, { client, key }) {
    if (prometheus.spec.paused !== true) {
      const { namespace } = key;
      const { items } = await client.list(ServiceMonitor, { namespace });
      const { serviceMonitorSelector } = prometheus.spec;
      const parts = {
        monitors: items.filter(({ metadata }) => matchesSelector(serviceMonitorSelector, metadata.labels)),
        services: (await client.list(Service, { namespace })).items,
        pods: (await client.list(Pod, { namespace })).items,
      };
      await client.apply(Secret, desiredSecret(prometheus, parts));
      await client.apply(Service, desiredService(prometheus));
      await client.apply(StatefulSet, desiredStatefulSet(prometheus));
    }
    const name = nameOf(prometheus);
    const statefulSet = await client.find(StatefulSet, { name, namespace: key.namespace });
    await client.applyStatus(Prometheus, key, observedStatus(prometheus, statefulSet));
  },
});

async function prometheusesIn(namespace = '', client: Pick<ReconcileContext['client'], 'list'>) {
  return (await client.list(Prometheus, { namespace })).items.map(({ metadata }) => metadata);
}

function observedStatus(prometheus: Prometheus, statefulSet: StatefulSet | undefined): PrometheusStatus {
  const { paused = false, replicas: wanted = 1 } = prometheus.spec;
  const { replicas = 0, availableReplicas = 0 } = statefulSet?.status ?? {};
  const conditions = conditionsOf(prometheus, ['Available', 'Reconciled']);
  if (availableReplicas >= wanted) conditions.true('Available', 'AllReplicas');
  else conditions.false('Available', 'SomePodsNotReady');
  if (paused) conditions.unknown('Reconciled', 'Paused');
  else conditions.true('Reconciled', 'Done');
  return { paused, replicas, availableReplicas, conditions: conditions.toJSON() };
}
