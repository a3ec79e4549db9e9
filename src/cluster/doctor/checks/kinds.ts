import { defineCheck, ok, problem, skipped, warning } from '../check.ts';
import { withArticle } from '../../../base/util/words.ts';
import { groupOf } from '../../../base/util/kubernetes-words.ts';
import { externalResource } from '../../../sdk/api/index.ts';
import {
  isForbidden,
  isNotFound,
  isTypeNotServed,
  resourcePath,
  type KubeClient,
  type ApiDirectory,
} from '../../../sdk/kube/index.ts';
import type { UsedKind } from '../../../compiler/manifests/index.ts';
import { layout } from '../../../project/project/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import { isCrd, crdTypes } from '../../objects/cluster-object.ts';
import { monitoringGroup, unservedMonitoring } from '../../objects/left-out-kinds.ts';

/** Checks that the cluster serves those kinds of config/default that the other checks do not cover. */
export const kinds = defineCheck({
  name: 'kinds',
  needs: ['project', 'objects', 'cluster'],
  run({ objects, cluster: { directory } }) {
    const leftOut = new Set(unservedMonitoring(objects, directory).map(({ object }) => object.kind));
    const unserved = unservedKinds(objects, directory).filter(
      ({ group, kind }) => group !== certManagerGroup && !(group === monitoringGroup && leftOut.has(kind)),
    );
    if (unserved.length === 0) return ok('the cluster knows every other kind of config/default');
    const names = unserved.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    return problem(
      'cluster/kind-not-served',
      `config/default has kinds that the cluster does not know: ${names.join(', ')}`,
      'correct apiVersion and kind, or install the CRDs that define them',
    );
  },
});

const certManagerGroup = 'cert-manager.io';

/** Checks that cert-manager is installed if config/default uses it. */
export const certManager = defineCheck({
  name: 'cert-manager',
  needs: ['project', 'objects', 'cluster'],
  run({ objects, cluster: { directory } }) {
    const [first] = unservedKinds(objects, directory).filter(({ group }) => group === certManagerGroup);
    if (first !== undefined) {
      return problem(
        'cluster/kind-not-served',
        `config/default has ${withArticle(first.kind)}, but the cluster has no cert-manager: webhooks would have no certificate`,
        'install cert-manager first: https://cert-manager.io/docs/installation/',
        'or let the operator make its certificates itself: `op-sdk explain project/cert-provider`',
      );
    }
    const wanted = objects.some(({ object }) => groupOf(object.apiVersion) === certManagerGroup);
    return ok(wanted ? 'cert-manager is installed' : 'the project needs no certificates');
  },
});

/** Checks that the Prometheus Operator is installed if config/default uses it. */
export const monitoring = defineCheck({
  name: 'monitoring',
  needs: ['project', 'objects', 'cluster'],
  run({ objects, cluster: { directory } }) {
    const [first] = unservedMonitoring(objects, directory);
    if (first !== undefined) {
      return warning(
        'cluster/monitoring-left-out',
        `config/default has ${withArticle(first.object.kind)}, but the cluster has no Prometheus Operator: a deploy leaves it out`,
        'install the Prometheus Operator, and deploy again: https://prometheus-operator.dev/docs/getting-started/installation/',
        'or comment out ../prometheus in config/default/kustomization.yaml',
      );
    }
    if (objects.some(({ object }) => groupOf(object.apiVersion) === monitoringGroup))
      return ok('the Prometheus Operator will find the metrics of the operator');
    if (directory.types.some(({ resource }) => resource.group === monitoringGroup)) {
      return ok(
        'the cluster has the Prometheus Operator, which does not scrape this operator: `op-sdk create monitoring` changes that',
      );
    }
    return ok('the project has no ServiceMonitor');
  },
});

/**
 * Checks that the cluster has at least one object of a kind that the operator reconciles. Without such an object, the operator does
 * nothing.
 */
export const customResources = defineCheck({
  name: 'custom-resources',
  needs: ['project', 'kinds', 'cluster'],
  async run({ kinds, cluster: { client } }, { signal }) {
    const reconciled = kinds.used.filter(({ role }) => role === 'for');
    if (reconciled.length === 0) return skipped('the project has no controller yet');
    const counts: string[] = [];
    let readable = 0;
    for (const kind of reconciled) {
      const found = await hasObjects(client, kind, signal);
      if (found !== undefined) readable++;
      if (found === true) counts.push(kind.kind);
    }
    if (counts.length > 0) return ok(`there are objects of ${counts.join(', ')}`);
    if (readable === 0) return skipped('the cluster does not serve the kinds, or you may not list them');
    const names = reconciled.map(({ kind }) => kind).join(', ');
    return warning(
      'cluster/no-custom-resource',
      `the cluster has no object of ${names}, so the operator has nothing to do`,
      `create one, such as those of ${layout.samples}: kubectl apply -k ${layout.samples}`,
    );
  },
});

/**
 * Returns true if the cluster has objects of a kind. @returns undefined if the user may not list the objects, or the cluster does not serve
 * their type
 */
async function hasObjects(
  client: KubeClient,
  kind: UsedKind,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { group, version, plural } = kind;
  const token = externalResource({
    group,
    version,
    kind: kind.kind,
    plural,
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
  });
  try {
    const answer = await client.raw.request({ path: resourcePath(token, {}), query: { limit: 1 }, signal });
    return (answer.json<{ readonly items?: readonly unknown[] }>().items ?? []).length > 0;
  } catch (error) {
    if (isForbidden(error) || isTypeNotServed(error) || isNotFound(error)) return undefined;
    throw error;
  }
}

/** A kind of the project's objects that the cluster does not serve. */
interface UnservedKind {
  readonly apiVersion: string;
  readonly group: string;
  readonly kind: string;
}

/** Returns the kinds of the objects that neither the cluster serves nor a CRD among the objects defines. Each kind is returned once. */
function unservedKinds(objects: readonly PlacedObject[], { types }: ApiDirectory): readonly UnservedKind[] {
  const served = [
    ...types.map(({ resource }) => resource),
    ...objects.flatMap(({ object }) => (isCrd(object) ? crdTypes(object) : [])),
  ];
  const unserved = new Map<string, UnservedKind>();
  for (const { object } of objects) {
    const { apiVersion, kind } = object;
    if (served.some((type) => type.apiVersion === apiVersion && type.kind === kind)) continue;
    unserved.set(`${apiVersion} ${kind}`, { apiVersion, group: groupOf(apiVersion), kind });
  }
  return [...unserved.values()];
}
