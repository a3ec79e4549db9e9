import type { KubeObject } from '../../../sdk/api/index.ts';
import type { PodLike } from '../../../cluster/index.ts';
import { trueCondition, type Conditioned } from '../condition.ts';
import type { ExpectedV0 } from '../expected.ts';
import { failedBy, waitingFor, type Judgement } from '../judgement.ts';
import type { Observed } from '../observed.ts';
import { podCause, podProgress, unpackPods } from '../workload-causes.ts';
import type { SubscriptionState } from './judge-resolution.ts';

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
 * Time for which a bundle may be unpacked without an InstallPlan. It took up to 5 s on a slow machine; OLM never reports
 * manifests that it cannot read.
 */
const silence = 15_000;

/** Judges the progress of the Job that unpacks the bundle; undefined if there is none yet. */
export function judgeUnpacking(
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
  if (job === undefined) return waitingFor('unpack', `the bundle: OLM unpacks it`);
  const completed = Date.parse(job.status?.completionTime ?? '');
  if (Number.isNaN(completed))
    return waitingFor('unpack', `the bundle: ${podProgress(pods) ?? `Job ${job.metadata.name} unpacks it`}`);
  // The Job may be that of a former installation of the same bundle.
  const since = Math.max(completed, Date.parse(subscription.status?.lastUpdated ?? '') || 0);
  if (now.getTime() - since < silence)
    return waitingFor('unpack', `the InstallPlan of ${expected.csv}: its bundle is unpacked`);
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

/** The newest Pod: a Job leaves those that failed before it. */
function podsOf(observed: Observed, { metadata }: Job): readonly PodLike[] {
  const pods = observed.list<PodLike>('Pod', metadata.namespace);
  return pods.filter((pod) => pod.metadata.labels?.['job-name'] === metadata.name).slice(-1);
}
