import type { KubeObject } from '../../api/index.ts';
import { judgeCatalogSource } from './v0/judge-catalog-source.ts';
import { judgeCsv } from './v0/judge-csv.ts';
import { judgeGroups } from './v0/judge-groups.ts';
import { judgeInstallPlan, type InstallPlanState } from './v0/judge-install-plan.ts';
import { judgeResolution, type SubscriptionState } from './v0/judge-resolution.ts';
import { judgeUnpacking } from './v0/judge-unpacking.ts';
import type { ExpectedV0 } from './expected.ts';
import { waitingFor, type Judgement } from './judgement.ts';
import type { Observed } from './observed.ts';

/**
 * How far an installation by OLM v0 is: `done` when the ClusterServiceVersion has succeeded and its Deployments are rolled out.
 *
 * @param now of the cluster: some failures show by nothing but the time that nothing happens
 */
export function judgeV0(observed: Observed, expected: ExpectedV0, now: Date): Judgement {
  const { namespace } = expected;
  const csv = observed.get('ClusterServiceVersion', expected.csv, namespace);
  const subscription = observed.get<SubscriptionState>('Subscription', expected.subscription, namespace);
  const plan = installPlanOf(observed, expected, subscription);
  if (csv !== undefined) return laterOf(judgeCsv(observed, csv, now), plan);
  if (plan !== undefined) return judgeInstallPlan(plan);
  if (subscription === undefined)
    return waitingFor('resolve', `Subscription ${expected.subscription}: it does not exist yet`);
  return (
    judgeGroups(observed, subscription) ??
    judgeUnpacking(observed, { subscription, expected, now }) ??
    judgeCatalogSource(observed, expected.catalogSource) ??
    judgeResolution(observed, { subscription, expected, now })
  );
}

/** A ClusterServiceVersion waits for what the InstallPlan creates after it, so the plan knows why that is missing. */
function laterOf(judgement: Judgement, plan: InstallPlanState | undefined): Judgement {
  if (judgement.state !== 'waiting' || plan === undefined) return judgement;
  const ofPlan = judgeInstallPlan(plan);
  return ofPlan.state === 'failed' ? ofPlan : judgement;
}

function installPlanOf(
  observed: Observed,
  { namespace, csv }: ExpectedV0,
  subscription: SubscriptionState | undefined,
): InstallPlanState | undefined {
  const plans = observed
    .list<InstallPlanState>('InstallPlan', namespace)
    .filter(({ spec }) => spec?.clusterServiceVersionNames?.includes(csv) === true);
  const named = subscription?.status?.installPlanRef?.name;
  const isNamed = ({ metadata }: KubeObject): boolean => metadata.name === named;
  return plans.find(isNamed) ?? plans.at(-1);
}
