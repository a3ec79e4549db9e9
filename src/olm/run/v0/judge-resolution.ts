import type { KubeObject } from '../../../sdk/api/index.ts';
import { failedBy, pendingStep, type Judgement } from '../judgement.ts';
import { type Observed, trueCondition, type Conditioned, type ExpectedV0 } from '../observed.ts';
import type { PodLike } from '../../../cluster/index.ts';
import { catalogPods, podCause, podProgress } from '../judge-deployments.ts';

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
 * Returns the newest InstallPlan of a Subscription that installs a ClusterServiceVersion. InstallPlans of a former Subscription with the
 * same name are excluded. The plan is found by its owner, the Subscription, which is set from the start; OLM records the plan in the status
 * of the Subscription only later.
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

/** Matches messages of transient errors, which may not occur in the next attempt. */
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
      message: `OLM lacks permissions to install the objects of the bundle: ${said}`,
      object: plan,
      terminal: failed,
      fix: [
        `give the ServiceAccount of the OperatorGroup these permissions, or remove spec.serviceAccountName from the OperatorGroup: kubectl edit operatorgroup -n ${namespace}`,
      ],
    });
  if (failed || retrying)
    return failedBy({
      code: 'olm/install-failed',
      message: `OLM cannot install the objects of the bundle: ${said || 'its InstallPlan failed'}`,
      object: plan,
      terminal: failed,
      fix: ['correct the cause that the message names, in the bundle or on the cluster'],
    });
  if (phase === 'RequiresApproval')
    return pendingStep(
      'install',
      // OLM notices an approval a moment later, so the phase may be outdated.
      `InstallPlan ${name}: ${plan.spec?.approved === true ? 'it is approved' : 'it needs an approval'}`,
    );
  const there = steps.filter(({ status }) => status === 'Present' || status === 'Created').length;
  const count = steps.length === 0 ? '' : `, ${there} of ${steps.length} objects exist`;
  return pendingStep('install', `InstallPlan ${name}: ${phase}${count}`);
}

export interface SubscriptionState extends Conditioned {
  readonly status?: Conditioned['status'] & {
    readonly currentCSV?: string;
    readonly installedCSV?: string;
    readonly lastUpdated?: string;
    readonly installPlanRef?: { readonly name?: string };
  };
}

/**
 * Minimum age in milliseconds at which a catalogue other than the operator's may be reported as not answering. A new catalogue needs time
 * until its Pod runs, and OLM repeats its last message about a catalogue until it connects to the catalogue again.
 */
const startup = 60_000;

/** Judges the result with which OLM resolves a Subscription to a version. Used if the Subscription's catalogue answers. */
export function judgeResolution(
  observed: Observed,
  {
    subscription,
    expected,
    now,
  }: { readonly subscription: SubscriptionState; readonly expected: ExpectedV0; readonly now: Date },
): Judgement {
  const { name } = subscription.metadata;
  const failure = trueCondition(subscription, 'ResolutionFailed');
  const said = failure?.message ?? '';
  if (failure?.reason === 'ConstraintsNotSatisfiable')
    return failedBy({
      code: 'olm/not-resolvable',
      message: `OLM finds nothing to install for Subscription ${name}: ${said}`,
      object: subscription,
      fix: notResolvableFixes(said, expected),
    });
  const blocking = otherCatalog(said, expected);
  const other =
    blocking && observed.get<CatalogSourceState>('CatalogSource', blocking.name, blocking.namespace);
  if (other !== undefined && isSilent(other, now))
    return failedBy({
      code: 'olm/other-catalog',
      message: `CatalogSource ${other.metadata.name} in namespace ${other.metadata.namespace ?? ''} does not answer, and OLM queries all catalogues: ${said}`,
      object: other,
      fix: ['repair or delete that CatalogSource: OLM installs nothing while it does not answer'],
    });
  const current = subscription.status?.currentCSV;
  const seen = current === undefined ? '' : `, it has ${current}`;
  const asked =
    blocking === undefined
      ? ''
      : `; CatalogSource ${blocking.name} in namespace ${blocking.namespace} did not answer`;
  return pendingStep('resolve', `Subscription ${name}: OLM has not found ${expected.csv} yet${seen}${asked}`);
}

/** Returns the catalogue that OLM could not query, according to its message; undefined if it is the Subscription's own catalogue. */
function otherCatalog(said: string, { catalogSource }: ExpectedV0): ExpectedV0['catalogSource'] | undefined {
  const match = /error using catalogsource ([^/\s]+)\/([^\s:]+)/.exec(said);
  if (match === null) return undefined;
  const [, namespace = '', name = ''] = match;
  return namespace === catalogSource.namespace && name === catalogSource.name
    ? undefined
    : { namespace, name };
}

function isSilent({ metadata, status }: CatalogSourceState, now: Date): boolean {
  const age = now.getTime() - Date.parse(metadata.creationTimestamp ?? '');
  return status?.connectionState?.lastObservedState !== 'READY' && age >= startup;
}

function notResolvableFixes(said: string, { package: name, channel }: ExpectedV0): readonly string[] {
  if (said.includes(`no operators found in channel ${channel} of package ${name} `))
    return [`choose a channel that the catalogue has for package ${name}`];
  if (said.includes(`no operators found in package ${name} `))
    return [`name a package that the catalogue has: kubectl get packagemanifests`];
  return [
    'provide what the message misses by a catalogue of the cluster, or repair the other Subscription that it names',
  ];
}

interface CatalogSourceState extends KubeObject {
  readonly status?: {
    /** Reason of a failure, such as `SpecInvalidError` or `RegistryServerError`. */
    readonly reason?: string;
    readonly message?: string;
    readonly connectionState?: { readonly lastObservedState?: string };
  };
}

/** Returns a judgement if the catalogue does not answer. Returns undefined if it does, or if the user may not read the CatalogSource. */
export function judgeCatalogSource(
  observed: Observed,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Judgement | undefined {
  const catalog = observed.get<CatalogSourceState>('CatalogSource', name, namespace);
  if (catalog === undefined) return undefined;
  const pods = observed.list<PodLike>('Pod', namespace).filter((pod) => isOf(pod, name));
  const cause = podCause(pods, catalogPods);
  if (cause !== undefined) return cause;
  const { reason, message, connectionState } = catalog.status ?? {};
  if (reason !== undefined && message !== undefined)
    return failedBy({
      code: 'olm/catalog-not-served',
      message: `OLM cannot serve CatalogSource ${name}: ${reason}: ${message}`,
      object: catalog,
      fix: ['correct the CatalogSource, or what refuses its Pod'],
    });
  const state = connectionState?.lastObservedState;
  if (state === 'READY') return undefined;
  const said = podProgress(pods) ?? (pods.length === 0 ? 'its Pod does not exist yet' : 'its Pod runs');
  return pendingStep(
    'catalog',
    `CatalogSource ${name}: ${state === undefined ? said : `connection ${state}; ${said}`}`,
  );
}

/**
 * Returns true if a Pod serves the catalogue. Pods that OLM creates have a label with the catalogue's name; Pods that operator-sdk creates
 * only name the CatalogSource as their owner.
 */
function isOf({ metadata }: KubeObject, catalog: string): boolean {
  return (
    metadata.labels?.['olm.catalogSource'] === catalog ||
    (metadata.ownerReferences ?? []).some(({ kind, name }) => kind === 'CatalogSource' && name === catalog)
  );
}

/** Returns the failure for an object in a namespace without an OperatorGroup, in which OLM installs nothing. */
export function noGroup(object: KubeObject): Judgement {
  const namespace = object.metadata.namespace ?? '';
  return failedBy({
    code: 'olm/no-operator-group',
    message: `namespace ${namespace} has no OperatorGroup, so OLM installs nothing in it`,
    object,
    fix: ['create an OperatorGroup in the namespace, or run the bundle in a namespace that has one'],
  });
}

/** Returns the failure for a namespace with several OperatorGroups, in which OLM installs nothing. */
export function severalGroups(groups: readonly KubeObject[]): Judgement | undefined {
  const [first, ...others] = groups;
  if (first === undefined) return undefined;
  const names = groups.map(({ metadata }) => metadata.name);
  const { namespace = '' } = first.metadata;
  return failedBy({
    code: 'olm/two-operator-groups',
    message: `namespace ${namespace} has ${names.length} OperatorGroups, and OLM installs only with one: ${names.join(', ')}`,
    object: first,
    fix: [
      `delete all but one: kubectl delete operatorgroup ${others.map(({ metadata }) => metadata.name).join(' ')} -n ${namespace}`,
    ],
  });
}
