import type { Finding } from '../../base/errors/index.ts';
import { createRestMapper, type ApiDirectory, type KubeClient } from '../../sdk/kube/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { crdTypes, isCrd } from './cluster-object.ts';

/** API group of the Prometheus Operator. */
export const monitoringGroup = 'monitoring.coreos.com';

/**
 * Kinds of the group that configure the monitoring of an operator and its workloads. Without them, the operator works but is not monitored.
 * Other kinds of the group, such as Prometheus and Alertmanager, are servers that a manifest needs.
 */
const monitoringKinds: ReadonlySet<string> = new Set([
  'PodMonitor',
  'Probe',
  'PrometheusRule',
  'ScrapeConfig',
  'ServiceMonitor',
]);

/** Objects of a manifest, without optional objects that the cluster does not support. */
interface NeededObjects {
  readonly objects: readonly PlacedObject[];
  /** Warning about the objects that are left out; undefined if there are none. */
  readonly warning: Finding | undefined;
}

/**
 * Leaves out ServiceMonitors, PrometheusRules and similar objects if the cluster does not serve their kinds, so that an operator with
 * monitoring can be deployed everywhere. Kinds that the cluster serves in another version, and all other unknown kinds, are kept:
 * `applyObjects` refuses them.
 */
export async function withoutUnservedMonitoring(
  client: KubeClient,
  objects: readonly PlacedObject[],
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<NeededObjects> {
  if (!objects.some(({ object }) => groupOf(object.apiVersion) === monitoringGroup))
    return { objects, warning: undefined };
  const directory = await createRestMapper(client.connection).directory({ signal });
  const leftOut = unservedMonitoring(objects, directory);
  const [first] = leftOut;
  if (first === undefined) return { objects, warning: undefined };
  const names = leftOut.map(({ object: { kind, metadata } }) => `${kind} ${metadata.name}`);
  return {
    objects: objects.filter((placed) => !leftOut.includes(placed)),
    warning: {
      code: 'cluster/monitoring-left-out',
      message: `${names.join(' and ')}: left out, because the cluster does not have the Prometheus Operator`,
      where: first.where,
      fix: [
        'install the Prometheus Operator, or its CustomResourceDefinitions alone, and deploy again',
        'or comment out ../prometheus in config/default/kustomization.yaml',
      ],
    },
  };
}

/** Returns the ServiceMonitors, PrometheusRules and their like whose kinds neither the cluster serves nor a CRD among the objects defines. */
export function unservedMonitoring(
  objects: readonly PlacedObject[],
  { types, unavailable }: ApiDirectory,
): readonly PlacedObject[] {
  const known = [
    ...types.map(({ resource }) => resource),
    ...objects.flatMap(({ object }) => (isCrd(object) ? crdTypes(object) : [])),
  ];
  return objects.filter(
    ({ object: { apiVersion, kind } }) =>
      groupOf(apiVersion) === monitoringGroup &&
      monitoringKinds.has(kind) &&
      !unavailable.includes(apiVersion) &&
      !known.some((type) => type.group === monitoringGroup && type.kind === kind),
  );
}
