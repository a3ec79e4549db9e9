import { judgeCatalogSource } from './v0/judge-catalog-source.ts';
import { judgeCsv } from './v0/judge-csv.ts';
import { judgeGroups } from './v0/judge-groups.ts';
import { installPlanOf, judgeInstallPlan, type InstallPlanState } from './v0/judge-install-plan.ts';
import { judgeResolution, type SubscriptionState } from './v0/judge-resolution.ts';
import { judgeUnpacking } from './v0/judge-unpacking.ts';
import type { ExpectedV0 } from './expected.ts';
import { waitingFor, type Judgement } from './judgement.ts';
import type { Observed } from './observed.ts';

/**
 * Judges the progress of an installation by OLM v0: `done` when the Subscription has the ClusterServiceVersion, which has succeeded, and its
 * Deployments are rolled out.
 *
 * @param observed with the kinds of v0, Deployments and Pods of both namespaces, Jobs of that of the catalogue; CatalogSources of all
 *   namespaces and the CustomResourceDefinitions that the operator owns let it name others that are in the way
 * @param now of the cluster: some failures show by nothing but the time that nothing happens
 */
export function judgeV0(observed: Observed, expected: ExpectedV0, now: Date): Judgement {
  const { namespace } = expected;
  const subscription = observed.get<SubscriptionState>('Subscription', expected.subscription, namespace);
  if (subscription === undefined)
    return waitingFor('resolve', `Subscription ${expected.subscription}: it does not exist yet`);
  const { currentCSV, installedCSV } = subscription.status ?? {};
  const csv = observed.get('ClusterServiceVersion', expected.csv, namespace);
  const plan = installPlanOf(observed, subscription, expected.csv);
  // One that an earlier Subscription left is not that of this one.
  if (csv !== undefined && [currentCSV, installedCSV].includes(expected.csv)) {
    const judgement = laterOf(judgeCsv(observed, { csv, expected, now }), plan);
    return judgement.state === 'done' && installedCSV !== expected.csv
      ? waitingFor(
          'install',
          `Subscription ${expected.subscription}: ${expected.csv} is not its installed version yet`,
        )
      : judgement;
  }
  if (plan !== undefined) return judgeInstallPlan(plan);
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
