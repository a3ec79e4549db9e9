import {
  defineController,
  defineIndex,
  labelsChanged,
  metadataOnly,
  owned,
  terminalError,
  watch,
  type KubeObject,
  type MapContext,
  type ObjectKey,
  type ReconcileContext,
  type Stored,
} from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Namespace, Secret, Service } from 'opsdk/k8s/core/v1';
import { PodMonitor } from '../../api/monitoring/v1/pod-monitor.ts';
import { Probe } from '../../api/monitoring/v1/probe.ts';
import { PrometheusRule } from '../../api/monitoring/v1/prometheus-rule.ts';
import { Prometheus } from '../../api/monitoring/v1/prometheus.ts';
import { ServiceMonitor } from '../../api/monitoring/v1/service-monitor.ts';
import { configFolder, prometheusConfig, type LeftOut } from '../../config/prometheus-config.ts';
import { distribute } from '../../config/rule-files.ts';
import { usableRules } from '../../config/rule-problems.ts';
import { ProgramVersion } from '../../config/version.ts';
import { thoseWhoSelect } from '../../selection/concerned.ts';
import { renderWithAssets } from '../../selection/load-assets.ts';
import { referencesOf } from '../../selection/references.ts';
import {
  monitorKinds,
  selectedBy,
  selectorsFor,
  type MonitorKind,
} from '../../selection/prometheus-selection.ts';
import { warnAuthors } from '../../workload/conditions.ts';
import { countResources, forgetResources } from '../../workload/metrics.ts';
import { isOwn, refuseForeign, selectorOf } from '../../workload/own-objects.ts';
import { observedStatus } from '../../workload/prometheus-status.ts';
import {
  desiredRuleMap,
  desiredSecret,
  desiredService,
  desiredShard,
  prometheusLabels,
  prometheusName,
  ruleMapName,
  shardName,
} from '../../workload/prometheus.ts';

const referring = (monitor: KubeObject & { readonly spec: unknown }): readonly string[] =>
  referencesOf(monitor.spec, monitor.metadata.namespace ?? '');
const serviceMonitorsByReference = defineIndex(ServiceMonitor, 'reference', referring);
const podMonitorsByReference = defineIndex(PodMonitor, 'reference', referring);
const probesByReference = defineIndex(Probe, 'reference', referring);
const prometheusesByReference = defineIndex(Prometheus, 'reference', referring);

/**
 * Keeps for each Prometheus a StatefulSet a shard, and a configuration of the monitors and rules that it selects.
 *
 * @allow manifests/reads-all-secrets ServiceMonitors refer to Secrets in any namespace. Their metadata is watched, and their data read when a configuration needs it.
 */
export const prometheusController = defineController({
  for: Prometheus,
  owns: [StatefulSet, Service, owned(metadataOnly(Secret)), owned(metadataOnly(ConfigMap))],
  watches: [
    watch(ServiceMonitor, { map: (monitor, context) => selecting('ServiceMonitor', monitor, context) }),
    watch(PodMonitor, { map: (monitor, context) => selecting('PodMonitor', monitor, context) }),
    watch(Probe, { map: (probe, context) => selecting('Probe', probe, context) }),
    watch(PrometheusRule, { map: (rule, context) => selecting('PrometheusRule', rule, context) }),
    watch(metadataOnly(Namespace), {
      predicates: [labelsChanged],
      map: async (_namespace, { client }) =>
        (await client.list(Prometheus)).items.map(({ metadata }) => metadata),
    }),
    watch(metadataOnly(Secret), { map: referringTo }),
    watch(metadataOnly(ConfigMap), { map: referringTo }),
  ],
  indexes: [serviceMonitorsByReference, podMonitorsByReference, probesByReference, prometheusesByReference],
  concurrency: 4,
  async reconcile(prometheus, context) {
    const { client, key } = context;
    const leftOut = prometheus.spec.paused === true ? [] : await applyObjects(prometheus, context);
    const status = observedStatus(prometheus, await shardsOf(prometheus, context), { leftOut });
    await client.applyStatus(Prometheus, key, status);
  },
  async onError(prometheus, error, context) {
    const status = observedStatus(prometheus, await shardsOf(prometheus, context), { error });
    await context.client.applyStatus(Prometheus, context.key, status);
  },
  forget(key) {
    forgetResources('prometheus', key, monitorKinds);
  },
});

/** Writes everything that a Prometheus consists of. @returns the objects that its configuration does not have */
async function applyObjects(
  prometheus: Stored<Prometheus>,
  context: ReconcileContext,
): Promise<readonly LeftOut[]> {
  const { client, key } = context;
  const selected = await selectedBy(prometheus, client);
  const rules = usableRules(selected.rules, new ProgramVersion('Prometheus', prometheus.spec.version ?? ''));
  const maps = distribute(rules.usable, false);
  const ruleFolders = rules.usable.length > 0 ? maps.map((_, index) => ruleMapName(prometheus, index)) : [];
  const config = await renderWithAssets(client, configFolder, (assets) =>
    prometheusConfig(prometheus, selected, { assets, ruleFolders }),
  );
  const leftOut = [...config.leftOut, ...rules.leftOut];
  countResources(
    'prometheus',
    key,
    monitorKinds.map((resource) => ({
      resource,
      selected: selected.countOf(resource),
      rejected: leftOut.filter(({ object }) => object.kind === resource).length,
    })),
  );
  warnAuthors(context, leftOut, prometheus);
  // Nothing is written unless all of it can be.
  if (config.problems.length > 0) throw terminalError(new Error(config.problems.join('; ')));

  await refuseOthers(prometheus, maps.length, context);
  await client.apply(Secret, desiredSecret(prometheus, config.files));
  for (const [index, files] of maps.entries())
    await client.apply(ConfigMap, desiredRuleMap(prometheus, index, files));
  await client.apply(Service, desiredService(prometheus));
  for (let shard = 0; shard < (prometheus.spec.shards ?? 1); shard++)
    await client.apply(StatefulSet, desiredShard(prometheus, shard, maps.length));
  await removeOthers(prometheus, maps.length, context);
  return leftOut;
}

/**
 * Finds objects of other owners before anything is written.
 *
 * @throws Error if an object of a name that is needed belongs to somebody else
 * @allow manifests/reads-all-secrets The owner of a Secret is read from its metadata.
 */
async function refuseOthers(
  prometheus: Stored<Prometheus>,
  maps: number,
  { client, key: { namespace } }: ReconcileContext,
): Promise<void> {
  const own = { namespace, name: prometheusName(prometheus) };
  refuseForeign(await client.find(metadataOnly(Secret), own), prometheus);
  refuseForeign(await client.find(Service, own), prometheus);
  for (let shard = 0; shard < (prometheus.spec.shards ?? 1); shard++)
    refuseForeign(
      await client.find(StatefulSet, { namespace, name: shardName(prometheus, shard) }),
      prometheus,
    );
  for (let index = 0; index < maps; index++)
    refuseForeign(
      await client.find(metadataOnly(ConfigMap), { namespace, name: ruleMapName(prometheus, index) }),
      prometheus,
    );
}

/** Deletes the shards and ConfigMaps that a Prometheus no longer asks for. */
async function removeOthers(
  prometheus: Stored<Prometheus>,
  maps: number,
  context: ReconcileContext,
): Promise<void> {
  const { client, key } = context;
  const { namespace } = key;
  const shards = new Set(
    Array.from({ length: prometheus.spec.shards ?? 1 }, (_, each) => shardName(prometheus, each)),
  );
  for (const { metadata } of await shardsOf(prometheus, context))
    if (!shards.has(metadata.name)) await client.delete(StatefulSet, metadata, { ignoreNotFound: true });
  const kept = new Set(Array.from({ length: maps }, (_, each) => ruleMapName(prometheus, each)));
  const { items } = await client.list(metadataOnly(ConfigMap), {
    namespace,
    labelSelector: selectorOf(prometheusLabels(prometheus)),
  });
  for (const { metadata } of items)
    if (!kept.has(metadata.name) && isOwn(metadata, prometheus))
      await client.delete(ConfigMap, metadata, { ignoreNotFound: true });
}

/** Returns the StatefulSets of a Prometheus, also of shards that it no longer asks for. */
async function shardsOf(
  prometheus: Stored<Prometheus>,
  { client, key: { namespace } }: Pick<ReconcileContext, 'client' | 'key'>,
): Promise<readonly Stored<StatefulSet>[]> {
  const { items } = await client.list(StatefulSet, {
    namespace,
    labelSelector: selectorOf(prometheusLabels(prometheus)),
  });
  return items.filter(({ metadata }) => isOwn(metadata, prometheus));
}

/** Returns the Prometheuses that select an object. */
async function selecting(
  kind: MonitorKind,
  object: KubeObject,
  context: MapContext,
): Promise<readonly ObjectKey[]> {
  const { items } = await context.client.list(Prometheus);
  return thoseWhoSelect(object, items, selectorsFor(kind), context);
}

/** Returns the Prometheuses whose configuration has something of a Secret or ConfigMap. */
async function referringTo(
  { metadata: { namespace = '', name = '' } }: KubeObject,
  context: MapContext,
): Promise<readonly ObjectKey[]> {
  const { client } = context;
  const reference = `${namespace}/${name}`;
  const keys: ObjectKey[] = [];
  for (const monitor of (await client.byIndex(serviceMonitorsByReference, reference)).items)
    keys.push(...(await selecting('ServiceMonitor', monitor, context)));
  for (const monitor of (await client.byIndex(podMonitorsByReference, reference)).items)
    keys.push(...(await selecting('PodMonitor', monitor, context)));
  for (const probe of (await client.byIndex(probesByReference, reference)).items)
    keys.push(...(await selecting('Probe', probe, context)));
  for (const { metadata } of (await client.byIndex(prometheusesByReference, reference)).items)
    keys.push(metadata);
  return keys;
}
