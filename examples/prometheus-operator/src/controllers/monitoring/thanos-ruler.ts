import {
  defineController,
  labelsChanged,
  metadataOnly,
  owned,
  terminalError,
  watch,
  type ReconcileContext,
  type Stored,
} from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Namespace, Service } from 'opsdk/k8s/core/v1';
import { PrometheusRule } from '../../api/monitoring/v1/prometheus-rule.ts';
import { ThanosRuler } from '../../api/monitoring/v1/thanos-ruler.ts';
import type { LeftOut } from '../../config/prometheus-config.ts';
import { distribute } from '../../config/rule-files.ts';
import { usableRules } from '../../config/rule-problems.ts';
import { thoseWhoSelect, type SelectorsOf } from '../../selection/concerned.ts';
import { selectOrRefuse } from '../../selection/select.ts';
import { warnAuthors, type Outcome } from '../../workload/conditions.ts';
import { countResources, forgetResources } from '../../workload/metrics.ts';
import { isOwn, refuseForeign, selectorOf } from '../../workload/own-objects.ts';
import { singleStatus } from '../../workload/single-status.ts';
import {
  desiredRuleMap,
  desiredService,
  desiredStatefulSet,
  ruleMapName,
  thanosRulerLabels,
  thanosRulerName,
  thanosRulerProblems,
} from '../../workload/thanos-ruler.ts';

const selectors: SelectorsOf<ThanosRuler> = ({ spec }) => ({
  selector: spec.ruleSelector,
  namespaceSelector: spec.ruleNamespaceSelector,
});

/** Keeps for each ThanosRuler a StatefulSet, and the rule files of the PrometheusRules that it selects. */
export const thanosRulerController = defineController({
  for: ThanosRuler,
  owns: [StatefulSet, Service, owned(metadataOnly(ConfigMap))],
  watches: [
    watch(PrometheusRule, {
      map: async (rule, context) =>
        thoseWhoSelect(rule, (await context.client.list(ThanosRuler)).items, selectors, context),
    }),
    watch(metadataOnly(Namespace), {
      predicates: [labelsChanged],
      map: async (_namespace, { client }) =>
        (await client.list(ThanosRuler)).items.map(({ metadata }) => metadata),
    }),
  ],
  concurrency: 4,
  async reconcile(ruler, context) {
    const leftOut = ruler.spec.paused === true ? [] : await applyObjects(ruler, context);
    await writeStatus(ruler, context, { leftOut });
  },
  async onError(ruler, error, context) {
    await writeStatus(ruler, context, { error });
  },
  forget(key) {
    forgetResources('thanosruler', key, ['PrometheusRule']);
  },
});

async function applyObjects(
  ruler: Stored<ThanosRuler>,
  context: ReconcileContext,
): Promise<readonly LeftOut[]> {
  const { client, key } = context;
  const problems = thanosRulerProblems(ruler);
  if (problems.length > 0) throw terminalError(new Error(problems.join('; ')));
  const selected = selectOrRefuse(
    (await client.list(PrometheusRule)).items,
    (await client.list(metadataOnly(Namespace))).items,
    { ...selectors(ruler), ownNamespace: key.namespace ?? '' },
  );
  const { leftOut, usable } = usableRules(selected, undefined);
  countResources('thanosruler', key, [
    { resource: 'PrometheusRule', selected: selected.length, rejected: leftOut.length },
  ]);
  warnAuthors(context, leftOut, ruler);
  const maps = distribute(usable, true);
  const { namespace } = key;
  const own = { namespace, name: thanosRulerName(ruler) };
  refuseForeign(await client.find(Service, own), ruler);
  refuseForeign(await client.find(StatefulSet, own), ruler);
  for (const index of maps.keys())
    refuseForeign(
      await client.find(metadataOnly(ConfigMap), { namespace, name: ruleMapName(ruler, index) }),
      ruler,
    );
  for (const [index, files] of maps.entries())
    await client.apply(ConfigMap, desiredRuleMap(ruler, index, files));
  await client.apply(Service, desiredService(ruler));
  await client.apply(StatefulSet, desiredStatefulSet(ruler, maps.length));
  const kept = new Set(maps.map((_, index) => ruleMapName(ruler, index)));
  const { items } = await client.list(metadataOnly(ConfigMap), {
    namespace,
    labelSelector: selectorOf(thanosRulerLabels(ruler)),
  });
  for (const { metadata } of items)
    if (!kept.has(metadata.name) && isOwn(metadata, ruler))
      await client.delete(ConfigMap, metadata, { ignoreNotFound: true });
  return leftOut;
}

async function writeStatus(
  ruler: Stored<ThanosRuler>,
  { client, key }: Pick<ReconcileContext, 'client' | 'key'>,
  outcome: Outcome,
): Promise<void> {
  const statefulSet = await client.find(StatefulSet, { ...key, name: thanosRulerName(ruler) });
  await client.applyStatus(ThanosRuler, key, singleStatus(ruler, statefulSet, outcome));
}
