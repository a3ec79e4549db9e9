import type { KubeObject } from '../../../sdk/api/index.ts';
import { failedBy, waitingFor, type Judgement } from '../judgement.ts';
import type { Observed } from '../observed.ts';
import type { SubscriptionState } from './judge-resolution.ts';

export interface InstallPlanState extends KubeObject {
  readonly spec?: {
    readonly clusterServiceVersionNames?: readonly string[];
    readonly approved?: boolean;
  };
  readonly status?: {
    readonly phase?: string;
    readonly message?: string;
    readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
    readonly plan?: readonly { readonly status?: string }[];
  };
}

/**
 * The newest InstallPlan of a Subscription that installs a ClusterServiceVersion; not one of a former Subscription of the same name. It
 * belongs to the Subscription from the beginning; OLM names it in the status of the Subscription later.
 */
export function installPlanOf(
  observed: Observed,
  { metadata: { uid, namespace }, status }: SubscriptionState,
  csv: string,
): InstallPlanState | undefined {
  const isOwned = ({ metadata: { name, ownerReferences = [] } }: KubeObject): boolean =>
    ownerReferences.some((owner) => owner.uid === uid) || name === status?.installPlanRef?.name;
  return observed
    .list<InstallPlanState>('InstallPlan', namespace)
    .findLast((plan) => plan.spec?.clusterServiceVersionNames?.includes(csv) === true && isOwned(plan));
}

/** Faults that the next attempt does not have. */
const passing =
  /object has been modified|please apply your changes|timed? ?out|connection refused|unavailable/i;

/** Judges the progress of an InstallPlan whose ClusterServiceVersion does not exist yet. */
export function judgeInstallPlan(plan: InstallPlanState): Judgement {
  const { phase = 'new', message = '', conditions = [], plan: steps = [] } = plan.status ?? {};
  const said = message || (conditions.find(({ type }) => type === 'Installed')?.message ?? '');
  const { name, namespace = '' } = plan.metadata;
  const failed = phase === 'Failed';
  const retrying = phase === 'Installing' && said !== '' && !passing.test(said);
  if ((failed || retrying) && said.includes('is forbidden'))
    return failedBy({
      code: 'olm/missing-permission',
      message: `OLM may not install what the bundle has: ${said}`,
      object: plan,
      terminal: failed,
      fix: [
        `give the ServiceAccount of the OperatorGroup these permissions, or remove spec.serviceAccountName from it: kubectl edit operatorgroup -n ${namespace}`,
      ],
    });
  if (failed || retrying)
    return failedBy({
      code: 'olm/install-failed',
      message: `OLM cannot install what the bundle has: ${said || 'its InstallPlan failed'}`,
      object: plan,
      terminal: failed,
      fix: ['correct what the message says, in the bundle or on the cluster'],
    });
  if (phase === 'RequiresApproval')
    return waitingFor(
      'install',
      // OLM sees an approval a moment later.
      `InstallPlan ${name}: ${plan.spec?.approved === true ? 'it is approved' : 'it needs an approval'}`,
    );
  const there = steps.filter(({ status }) => status === 'Present' || status === 'Created').length;
  const count = steps.length === 0 ? '' : `, ${there} of ${steps.length} objects exist`;
  return waitingFor('install', `InstallPlan ${name}: ${phase}${count}`);
}
