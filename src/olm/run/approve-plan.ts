import type { KubeObject } from '../../sdk/api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { InstallPlan } from './olm-kinds.ts';
import type { Installation } from './installation.ts';
import type { Observed } from './observed.ts';
import { installPlanOf } from './v0/judge-install-plan.ts';
import type { SubscriptionState } from './v0/judge-resolution.ts';
import { bundleImageOf, otherBundle } from './unfinished-run.ts';

/**
 * Approves the InstallPlan of the Subscription, if it installs what is expected and nothing else.
 *
 * @returns its name; undefined if none waits
 * @throws OpSdkError `olm/plan-with-others`, `olm/other-bundle`
 */
export async function approvePlan(
  client: KubeClient,
  observed: Observed,
  { names, namespace, packageName, csv, bundleImage }: Installation,
  signal: AbortSignal,
): Promise<string | undefined> {
  const subscription = observed.get<SubscriptionState>('Subscription', names.subscription, namespace);
  const plan = subscription === undefined ? undefined : installPlanOf(observed, subscription, csv);
  if (plan === undefined || plan.spec?.approved === true) return undefined;
  const { name } = plan.metadata;
  const installs = plan.spec?.clusterServiceVersionNames ?? [];
  const others = installs.filter((each) => each !== csv);
  if (others.length > 0) throw planWithOthers(plan, others);
  // Another run may have begun with another image of the same version.
  const image = bundleImageOf(plan, csv);
  if (image !== undefined && image !== bundleImage)
    throw otherBundle({ csv, packageName, object: `installplan/${name} -n ${namespace}` }, image, {
      bundle: bundleImage,
    });
  await client.patch(
    InstallPlan,
    { name, namespace },
    // Only of the plan that was looked at.
    {
      type: 'merge',
      body: { metadata: { resourceVersion: plan.metadata.resourceVersion }, spec: { approved: true } },
    },
    { signal },
  );
  return name;
}

function planWithOthers({ metadata }: KubeObject, others: readonly string[]): OpSdkError {
  const { name, namespace } = metadata;
  return new OpSdkError({
    code: 'olm/plan-with-others',
    message: `the InstallPlan ${name} would install ${others.join(', ')} too, and op-sdk approves only what it was asked for`,
    where: { object: `installplan/${name} -n ${namespace}` },
    fix: [
      `look at it: kubectl get installplan ${name} -n ${namespace} -o yaml`,
      `approve it yourself: kubectl patch installplan ${name} -n ${namespace} --type merge -p '{"spec":{"approved":true}}'`,
      'or install into another namespace: --namespace NAME',
    ],
  });
}
