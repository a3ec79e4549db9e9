import type { KubeClient } from '../../sdk/kube/index.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, listOf, textOf } from '../bundle/index.ts';
import type { PodLike } from '../../cluster/index.ts';
import {
  type Observed,
  trueCondition,
  type Conditioned,
  type ExpectedV0,
  type Installation,
  observeInstallation,
} from './observed.ts';
import { type Judgement, pendingStep, failedBy } from './judgement.ts';
import { judgeV1 } from './judge-v1.ts';
import { runChannel } from './run-names.ts';
import {
  installPlanOf,
  judgeInstallPlan,
  type InstallPlanState,
  judgeResolution,
  type SubscriptionState,
  judgeCatalogSource,
  noGroup,
  severalGroups,
} from './v0/judge-resolution.ts';
import { judgeCsv } from './v0/judge-csv.ts';
import { newestPods, operatorPods, podCause, podProgress, unpackPods } from './judge-deployments.ts';

/** An installation that is planned. Its bundle image may not have been pushed yet. */
export type PlannedInstallation = Omit<Installation, 'bundleImage'> & Partial<Installation>;

/**
 * Judges the progress of an installation by OLM v0 or v1: `done` once OLM reports success and the operator's containers keep running.
 *
 * @param now current time by the clock of the cluster
 */
export function judgeInstallation(
  observed: Observed,
  installation: PlannedInstallation,
  now: Date,
): Judgement {
  const judgement = judgeByOlm(observed, installation, now);
  if (judgement.state !== 'done') return judgement;
  const { deployments: names, namespace } = installation;
  return judgeRunning(observed, { names, namespace, now }) ?? judgement;
}

function judgeByOlm(observed: Observed, installation: PlannedInstallation, now: Date): Judgement {
  const { olm, names, packageName, namespace, csv, version, deployments } = installation;
  if (olm === 'v1') {
    const { catalog, extension } = names;
    return judgeV1(observed, { catalog, extension, package: packageName, version, namespace, deployments });
  }
  const expected = {
    ...{ namespace, csv, package: packageName, channel: runChannel },
    catalogSource: { name: names.catalog, namespace },
    subscription: names.subscription,
    bundleImage: installation.bundleImage,
  };
  return judgeV0(observed, expected, now);
}

/** Returns true if OLM has installed the expected version, and its Deployments run. */
export async function isInstalled(
  client: KubeClient,
  installation: PlannedInstallation,
  signal: AbortSignal,
): Promise<boolean> {
  const observed = await observeInstallation(client, installation, signal);
  const now = new Date(Date.now() + (await clockAhead(client, signal)));
  return judgeInstallation(observed, installation, now).state === 'done';
}

/** Returns the milliseconds by which the clock of the API server is ahead of the local clock, with a precision of one second. */
export async function clockAhead(client: KubeClient, signal: AbortSignal): Promise<number> {
  const { headers } = await client.raw.request({ method: 'GET', path: '/version', signal });
  const theirs = Date.parse(headers['date'] ?? '');
  return Number.isNaN(theirs) ? 0 : theirs - Date.now();
}

/**
 * Judges the progress of an installation by OLM v0: `done` once the ClusterServiceVersion of the Subscription has succeeded and its
 * Deployments are rolled out.
 *
 * @param observed contains the kinds of OLM v0, the Deployments and Pods in the namespaces of the operator and of the catalogue, and the
 * Jobs in the namespace of the catalogue. If it also contains the CatalogSources of all namespaces and the CustomResourceDefinitions that
 * the operator owns, conflicting objects can be named
 * @param now time by the clock of the cluster, because some failures can be recognised only by the time without progress
 */
export function judgeV0(observed: Observed, expected: ExpectedV0, now: Date): Judgement {
  const { namespace } = expected;
  const subscription = observed.get<SubscriptionState>('Subscription', expected.subscription, namespace);
  if (subscription === undefined)
    return pendingStep('resolve', `Subscription ${expected.subscription}: it does not exist yet`);
  const { currentCSV, installedCSV } = subscription.status ?? {};
  const csv = observed.get('ClusterServiceVersion', expected.csv, namespace);
  const plan = installPlanOf(observed, subscription, expected.csv);
  // Ignore a ClusterServiceVersion left by an earlier Subscription, which this Subscription does not name.
  if (csv !== undefined && [currentCSV, installedCSV].includes(expected.csv)) {
    const judgement = laterOf(judgeCsv(observed, { csv, expected, now }), plan);
    return judgement.state === 'done' && installedCSV !== expected.csv
      ? pendingStep(
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

/**
 * Returns the failure of the InstallPlan if the ClusterServiceVersion is still waiting and the plan has failed; otherwise, returns the
 * given judgement. A ClusterServiceVersion may wait for objects that the plan creates after it.
 */
function laterOf(judgement: Judgement, plan: InstallPlanState | undefined): Judgement {
  if (judgement.state !== 'waiting' || plan === undefined) return judgement;
  const ofPlan = judgeInstallPlan(plan);
  return ofPlan.state === 'failed' ? ofPlan : judgement;
}

/** Minimum number of milliseconds that a container must run if it has no readiness probe or was restarted. */
const minimumReadyTime = 10_000;

/** Milliseconds after which a restarted container counts as running, even if it ran longer before the restart. */
const mostReadyTime = 60_000;

/**
 * Judges if the containers of rolled-out Deployments keep running. This check is needed because Kubernetes treats a container without a
 * readiness probe as ready whenever it runs, even between two crashes.
 *
 * @param now current time by the clock of the cluster
 * @returns a waiting judgement for one container: one that has ended, one without a readiness probe that has just been started, or one that
 * was restarted and has not yet run longer than it ran before the restart; undefined if all containers keep running
 */
export function judgeRunning(
  observed: Observed,
  {
    names,
    namespace,
    now,
  }: { readonly names: readonly string[]; readonly namespace: string; readonly now: Date },
): Judgement | undefined {
  for (const name of names) {
    const deployment = observed.get('Deployment', name, namespace);
    if (deployment === undefined) continue;
    const pods = newestPods(observed, deployment);
    const unproven = unprovenContainer(deployment, pods, now);
    if (unproven !== undefined)
      return podCause(pods, operatorPods) ?? pendingStep('rollout', `Deployment ${name}: ${unproven}`);
  }
  return undefined;
}

function unprovenContainer(deployment: KubeObject, pods: readonly PodLike[], now: Date): string | undefined {
  const probed = probedContainers(deployment);
  for (const { metadata, status } of pods) {
    // Skip evicted Pods. Kubernetes keeps them as objects, and replaces them by new Pods.
    if (metadata.deletionTimestamp !== undefined || status?.phase === 'Failed') continue;
    for (const { name, restartCount = 0, state, lastState } of status?.containerStatuses ?? []) {
      const container = `container ${name} of Pod ${metadata.name}`;
      if (state?.terminated !== undefined || state?.waiting !== undefined) return `${container} has ended`;
      const last = restartCount === 0 ? undefined : (lastState?.terminated ?? {});
      if (probed.has(name) && last === undefined) continue;
      const started = Date.parse(state?.running?.startedAt ?? '');
      const needed = neededTime(last);
      if (Number.isNaN(started) || now.getTime() - started >= needed) continue;
      const why = last === undefined ? 'has just been started' : 'was restarted';
      return `${container} ${why}, and has to run for ${needed / 1000} s`;
    }
  }
  return undefined;
}

function neededTime(last: { readonly startedAt?: string; readonly finishedAt?: string } | undefined): number {
  const former = Date.parse(last?.finishedAt ?? '') - Date.parse(last?.startedAt ?? '');
  if (Number.isNaN(former)) return minimumReadyTime;
  return Math.min(Math.max(former + minimumReadyTime / 2, minimumReadyTime), mostReadyTime);
}

/** Returns the names of a Deployment's containers that have a readiness probe. */
function probedContainers(deployment: KubeObject): ReadonlySet<string> {
  const containers = listOf(fieldAt(deployment, 'spec', 'template', 'spec', 'containers'));
  return new Set(
    containers
      .filter((each) => fieldAt(each, 'readinessProbe') !== undefined)
      .map((each) => textOf(fieldAt(each, 'name'))),
  );
}

interface Container {
  readonly name: string;
  readonly image?: string;
}

interface Job extends Conditioned {
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly initContainers?: readonly Container[] } };
  };
  readonly status?: Conditioned['status'] & { readonly completionTime?: string };
}

/**
 * Milliseconds to wait for an InstallPlan after the bundle has been unpacked. On a slow machine, OLM took up to 5 s to create the plan. The
 * limit is needed because OLM never reports unreadable manifests.
 */
const silence = 15_000;

/** Judges the progress of the Job that unpacks the bundle. Returns undefined if the Subscription reports no unpacking. */
function judgeUnpacking(
  observed: Observed,
  {
    subscription,
    expected,
    now,
  }: { readonly subscription: SubscriptionState; readonly expected: ExpectedV0; readonly now: Date },
): Judgement | undefined {
  const failure = trueCondition(subscription, 'BundleUnpackFailed');
  const isUnpacking = trueCondition(subscription, 'BundleUnpacking') !== undefined;
  if (failure === undefined && !isUnpacking) return undefined;
  const { namespace } = expected.catalogSource;
  const job = observed.list<Job>('Job', namespace).findLast((job) => unpacks(job, expected.bundleImage));
  const pods = job === undefined ? [] : podsOf(observed, job);
  const cause = podCause(pods, unpackPods);
  if (cause !== undefined) return cause;
  const failedJob = job === undefined ? undefined : trueCondition(job, 'Failed');
  if (job !== undefined && failedJob !== undefined) return unpackFailed(job, failedJob.message);
  if (failure !== undefined) return unpackFailed(subscription, failure.message);
  if (job === undefined) return pendingStep('unpack', `the bundle: OLM unpacks it`);
  const completed = Date.parse(job.status?.completionTime ?? '');
  if (Number.isNaN(completed))
    return pendingStep('unpack', `the bundle: ${podProgress(pods) ?? `Job ${job.metadata.name} unpacks it`}`);
  // The Job may belong to a former installation of the same bundle, so also use the time of the Subscription's last update.
  const since = Math.max(completed, Date.parse(subscription.status?.lastUpdated ?? '') || 0);
  if (now.getTime() - since < silence)
    return pendingStep('unpack', `the InstallPlan of ${expected.csv}: its bundle is unpacked`);
  return failedBy({
    code: 'olm/bundle-unreadable',
    message: `the bundle is unpacked, but OLM makes no InstallPlan of it: Subscription ${subscription.metadata.name} stays at BundleUnpacking`,
    object: subscription,
    fix: [
      'check the bundle: op-sdk bundle validate',
      'remove comments followed by --- at the beginning of its manifests, and build its image again',
    ],
  });
}

function unpackFailed(object: KubeObject, said = ''): Judgement {
  return failedBy({
    code: 'olm/bundle-unpack-failed',
    message: `OLM cannot unpack the bundle: ${said}`,
    object,
    fix: [
      'check that the nodes may pull the image of the bundle, and the bundle itself: op-sdk bundle validate',
    ],
  });
}

function unpacks({ metadata, spec }: Job, image: string | undefined): boolean {
  if (metadata.labels?.['operatorframework.io/bundle-unpack-ref'] === undefined) return false;
  const containers = spec?.template?.spec?.initContainers ?? [];
  return image === undefined || containers.some((container) => container.image === image);
}

/** Returns the newest Pod of a Job, as a list with at most one Pod. Failed Pods of earlier attempts still exist. */
function podsOf(observed: Observed, { metadata }: Job): readonly PodLike[] {
  const pods = observed.list<PodLike>('Pod', metadata.namespace);
  return pods.filter((pod) => pod.metadata.labels?.['job-name'] === metadata.name).slice(-1);
}

/**
 * Returns a failure if a namespace does not have exactly one OperatorGroup, because OLM v0 does not report this error. Returns undefined if
 * it has exactly one.
 */
function judgeGroups(observed: Observed, subscription: KubeObject): Judgement | undefined {
  const namespace = subscription.metadata.namespace ?? '';
  const groups = observed.list('OperatorGroup', namespace);
  return groups.length === 0 ? noGroup(subscription) : groups.length > 1 ? severalGroups(groups) : undefined;
}
