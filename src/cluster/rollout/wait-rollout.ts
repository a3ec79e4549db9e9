import { type KubeObject, externalResource } from '../../sdk/api/index.ts';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import { isNotFound, type KubeClient, ApiError } from '../../sdk/kube/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { pollCluster } from '../clients.ts';
import { durationText } from '../../base/util/duration-text.ts';
import { describePods, podsOf, type PodReport, eventReasons } from './describe-pods.ts';
import { hasRollout, isObserved, rolloutStatus, type RolloutStatus } from './rollout-status.ts';
import { podProblems, imageFixes, podFixes, type PodLike } from './pod-problems.ts';

export interface RolloutRequest {
  readonly client: KubeClient;
  /** Objects to wait for; those without a rollout are passed over. */
  readonly objects: readonly ClusterObject[];
  /** Milliseconds for all of them together. */
  readonly timeout: number;
  /** Milliseconds between two looks. Default: 500. */
  readonly interval?: number | undefined;
  /** Time that a cause must last to end the wait early. */
  readonly patience?: Patience | undefined;
  /** Default: that of `op-sdk deploy`. */
  readonly advice?: RolloutAdvice | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with what is being waited for, whenever it changes. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * Waits until the Deployments, DaemonSets and StatefulSets among the objects are rolled out, all at the same time. The wait ends early for
 * causes that do not pass by themselves.
 *
 * @throws OpSdkError `cluster/rollout-failed` when a controller gives up, `cluster/image-not-pulled`, `cluster/no-nodes`,
 * `cluster/rollout-timeout`, with the problems of the Pods; one finding for each workload
 */
export async function waitRollout(request: RolloutRequest): Promise<void> {
  const workloads = request.objects.filter(({ resource }) => hasRollout(resource));
  const results = await Promise.all(workloads.map((workload) => waitFor(request, workload)));
  const findings = new FindingList();
  for (const finding of results) if (finding !== undefined) findings.add(finding);
  findings.throwIfAny();
}

type End = Exclude<RolloutStatus, { readonly state: 'waiting' }> | { readonly cause: LastingCause };

async function waitFor(
  { client, timeout, interval, patience, advice = adviceOfDeploy, signal, onProgress }: RolloutRequest,
  object: ClusterObject,
): Promise<Finding | undefined> {
  const { resource, key, title, where } = object;
  const seen: { live?: KubeObject; line?: string } = {};
  const causes = new LastingCauses(client, patience ?? defaultPatience, signal);
  const tell = (line: string): void => {
    if (line !== seen.line) onProgress?.(line);
    seen.line = line;
  };
  const look = async (): Promise<End | undefined> => {
    const live = await client.get(resource, key, { signal });
    seen.live = live;
    const status = rolloutStatus(live);
    if (status.state !== 'waiting') return status;
    const pods = await podsOf(client, live, { signal });
    const [first] = pods.flatMap((pod) => podProblems(pod).map((problem) => ({ pod, problem })));
    const pod = first === undefined ? '' : `; Pod ${first.pod.metadata.name}: ${first.problem.message}`;
    tell(`waiting for ${title}: ${status.message}${pod}`);
    // Until its controller has observed the change, the Pods still have the former template.
    const cause = isObserved(live) ? await causes.look(live, pods) : undefined;
    return cause && { cause };
  };
  const carefully = async (): Promise<End | undefined> => {
    try {
      return await look();
    } catch (error) {
      causes.forget();
      throw error;
    }
  };
  let end: End | undefined;
  try {
    end = await pollCluster(carefully, { timeout, interval, signal, onProgress });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { code: 'cluster/rollout-failed', message: `${title} was deleted during the wait`, where };
  }
  if (end !== undefined && 'state' in end && end.state === 'done') {
    tell(`${title} is rolled out`);
    return undefined;
  }
  const reports = seen.live === undefined ? [] : await describePods(client, seen.live, { signal });
  const lines = reports.flatMap(reportLines);
  const problemFixes = [
    ...new Set(
      reports.flatMap(({ problem }) => (problem.kind === 'image' ? advice.image : podFixes(problem))),
    ),
  ];
  if (end !== undefined && 'cause' in end) {
    const { code, message, fix = [] } = end.cause;
    const text = `${title} cannot be rolled out: ${message}`;
    // Prefer the fixes of the cause: on a cluster without nodes, the problems of the Pods only follow from it.
    return {
      code,
      message: [text, ...lines].join('\n'),
      where,
      fix: fix.length > 0 ? fix : problemFixes,
    };
  }
  const failed = end !== undefined;
  const last = end ?? (seen.live === undefined ? undefined : rolloutStatus(seen.live));
  const state = last === undefined || last.state === 'done' ? '' : `: ${last.message}`;
  const cause = failed ? undefined : causes.present;
  const text = failed ? 'cannot be rolled out' : `is not rolled out after ${durationText(timeout)}`;
  return {
    code: failed ? 'cluster/rollout-failed' : 'cluster/rollout-timeout',
    message: [
      `${title} ${text}${state}`,
      ...(cause?.code === 'cluster/no-nodes' ? [cause.message] : []),
      ...lines,
    ].join('\n'),
    where,
    fix: [...(cause?.fix ?? []), ...problemFixes, ...(failed ? [] : waitLonger(title, key, advice))],
  };
}

function reportLines({ pod, problem, details }: PodReport): readonly string[] {
  return [`Pod ${pod}: ${problem.message}`, ...details.map((line) => `  ${line}`)];
}

/** The fixes that name flags of the command that waits. */
interface RolloutAdvice {
  /** For an image that cannot be pulled. */
  readonly image: readonly string[];
  /** For a rollout that needs more time. */
  readonly wait: string;
}

const adviceOfDeploy: RolloutAdvice = {
  image: ['push the image, and check its name: op-sdk deploy --image REF', ...imageFixes.slice(1)],
  wait: 'wait longer with --timeout, or not at all with --no-wait',
};

function waitLonger(
  title: string,
  { namespace }: ClusterObject['key'],
  advice: RolloutAdvice,
): readonly string[] {
  const [type = '', name = ''] = title.split('/');
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  return [advice.wait, `see kubectl describe ${type}/${name}${place}`];
}

/** Why a rollout cannot come to an end, however long one waits. */
type LastingCause = Pick<Finding, 'code' | 'message' | 'fix'>;

/** Milliseconds for which a cause must last before it counts: less than that may pass by itself. */
interface Patience {
  /** An image that does not exist, or that may not be pulled: time for a second pull. */
  readonly image: number;
  /** A cluster without a node: one that is being created gets its first in this time. */
  readonly noNodes: number;
  /** Nodes of which none is ready: one that starts again is back by then. */
  readonly unreadyNodes: number;
}

const defaultPatience: Patience = { image: 20_000, noNodes: 30_000, unreadyNodes: 60_000 };

/** Milliseconds between two looks at the nodes, which are many objects, and large ones. */
const nodesInterval = 5_000;

/** Event reasons of the cluster autoscaler and of Karpenter for a node that is being added. */
const scalingReasons: ReadonlySet<string> = new Set(['TriggeredScaleUp', 'Nominated']);

type Found = LastingCause & { readonly kind: keyof Patience };

/** Looks for lasting causes at one workload, look by look. */
class LastingCauses {
  readonly #client: KubeClient;
  readonly #patience: Patience;
  readonly #signal: AbortSignal | undefined;
  #found: Found | undefined;
  #since = 0;
  #nodesAt = -Infinity;
  #nodes: Found | undefined;

  constructor(client: KubeClient, patience: Patience, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#patience = patience;
    this.#signal = signal;
  }

  /** Cause that the last check has found, however recent. */
  get present(): LastingCause | undefined {
    return this.#found;
  }

  /** Resets the cause after a failed check, since it may have changed meanwhile. */
  forget(): void {
    this.#found = undefined;
  }

  /** @returns the cause that has lasted for long enough */
  async look(workload: KubeObject, pods: readonly PodLike[]): Promise<LastingCause | undefined> {
    const found = (await this.#imageCause(workload, pods)) ?? (await this.#nodesCause(pods));
    if (found?.kind !== this.#found?.kind) this.#since = performance.now();
    this.#found = found;
    if (found === undefined) return undefined;
    return performance.now() - this.#since >= this.#patience[found.kind] ? found : undefined;
  }

  async #imageCause(workload: KubeObject, pods: readonly PodLike[]): Promise<Found | undefined> {
    if (!pods.some((pod) => imageNotToBePulled(pod) !== undefined)) return undefined;
    const current = await currentPods(this.#client, workload, pods, this.#signal);
    const image = current.map(imageNotToBePulled).find((each) => each !== undefined);
    if (image === undefined) return undefined;
    // Without a fix: those of the Pods are used.
    return { kind: 'image', code: 'cluster/image-not-pulled', message: `${image} cannot be pulled` };
  }

  async #nodesCause(pods: readonly PodLike[]): Promise<Found | undefined> {
    const [waiting] = pods.filter(waitsForNode);
    if (waiting === undefined) return undefined;
    if (performance.now() - this.#nodesAt < nodesInterval) return this.#nodes;
    const nodes = await nodesOf(this.#client, this.#signal);
    const isComing =
      nodes !== 'usable' &&
      (await eventReasons(this.#client, waiting, this.#signal)).some((each) => scalingReasons.has(each));
    this.#nodesAt = performance.now();
    this.#nodes = nodes === 'usable' || isComing ? undefined : withoutNodes(nodes);
    return this.#nodes;
  }
}

function waitsForNode({ spec, status }: PodLike): boolean {
  const {
    phase = 'Pending',
    conditions = [],
    initContainerStatuses = [],
    containerStatuses = [],
  } = status ?? {};
  // Container statuses come from the Pod's node.
  if (initContainerStatuses.length + containerStatuses.length > 0) return false;
  const isScheduled = conditions.some(({ type, status: is }) => type === 'PodScheduled' && is === 'True');
  return phase === 'Pending' && spec?.nodeName === undefined && !isScheduled;
}

function withoutNodes(nodes: 'none' | 'unready'): Found {
  const fix = [
    'add a node, or use another cluster: --context',
    'to apply the objects all the same: --no-wait',
  ];
  if (nodes === 'none')
    return { kind: 'noNodes', code: 'cluster/no-nodes', message: 'the cluster has no nodes', fix };
  const message = 'no node of the cluster is ready and takes Pods';
  const look = 'look at the nodes: kubectl get nodes';
  return { kind: 'unreadyNodes', code: 'cluster/no-nodes', message, fix: [look, ...fix] };
}

/** Reasons that persist after a retry. Source: pkg/kubelet/images/types.go */
const finalReasons: ReadonlySet<string> = new Set(['InvalidImageName', 'ErrImageNeverPull']);

/** `ImagePullBackOff` quotes the answer to the last pull. */
const pullReasons: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

/** Error messages of registries, as worded by containerd, CRI-O and docker, that persist after a retry. */
const finalAnswers =
  /not found|manifest unknown|name unknown|does not exist|access denied|unauthorized|authentication required|authorization failed|forbidden|no match for platform/i;

/** Error messages that may pass, since a node may be unable to reach its registry for a while. */
const passingAnswers =
  /\blookup\b|dial tcp|timeout|timed out|connection re(?:fused|set)|too ?many ?requests|rate limit|\b(?:429|50\d)\b/i;

/** Returns an image of the Pod that cannot be pulled, and will not be without a change; undefined if there is none. */
export function imageNotToBePulled({ status }: PodLike): string | undefined {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const failed = containers.find(({ state }) => {
    const { reason = '', message = '' } = state?.waiting ?? {};
    if (finalReasons.has(reason)) return true;
    return pullReasons.has(reason) && finalAnswers.test(message) && !passingAnswers.test(message);
  });
  return failed && (failed.image ?? `that of container ${failed.name}`);
}

interface Node extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Maximum number of nodes to check: a larger cluster is assumed to have a usable node. */
const looked = 50;

/**
 * Finds out if nodes accept Pods: `none` if there are no nodes, `unready` if none of them is ready and accepts Pods.
 *
 * @returns `usable` also if the nodes may not be read
 */
async function nodesOf(
  client: KubeClient,
  signal: AbortSignal | undefined,
): Promise<'none' | 'unready' | 'usable'> {
  try {
    const answer = await client.raw.request({ path: '/api/v1/nodes', query: { limit: looked }, signal });
    const { metadata, items } = answer.json<{
      readonly metadata?: { readonly continue?: string };
      readonly items?: readonly Node[] | null;
    }>();
    const nodes = items ?? [];
    if (nodes.length === 0) return 'none';
    return (metadata?.continue ?? '') !== '' || nodes.some(isUsable) ? 'usable' : 'unready';
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return 'usable';
    throw error;
  }
}

function isUsable({ spec, status }: Node): boolean {
  const isReady = (status?.conditions ?? []).some((each) => each.type === 'Ready' && each.status === 'True');
  return isReady && spec?.unschedulable !== true;
}

const replicaSets = externalResource({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  scope: 'Namespaced',
});

const revision = 'deployment.kubernetes.io/revision';

/**
 * Lists the Pods of a workload that have its current template. Pods of a former deploy are replaced, whatever their state. Empty if the
 * template cannot be determined.
 */
async function currentPods(
  client: KubeClient,
  workload: KubeObject,
  pods: readonly PodLike[],
  signal: AbortSignal | undefined,
): Promise<readonly PodLike[]> {
  const mark = await markOf(client, workload, signal);
  if (mark?.value === undefined) return [];
  return pods.filter(({ metadata }) => metadata.labels?.[mark.label] === mark.value);
}

interface Mark {
  readonly label: string;
  readonly value: string | undefined;
}

/** Returns the label that distinguishes the Pods of one template from those of another. */
async function markOf(
  client: KubeClient,
  workload: KubeObject,
  signal: AbortSignal | undefined,
): Promise<Mark | undefined> {
  const { kind, metadata } = workload;
  const { status } = workload as { readonly status?: { readonly updateRevision?: string } };
  if (kind === 'StatefulSet') return { label: 'controller-revision-hash', value: status?.updateRevision };
  if (kind === 'DaemonSet') {
    const value = metadata.annotations?.['deprecated.daemonset.template.generation'];
    return { label: 'pod-template-generation', value };
  }
  const label = 'pod-template-hash';
  try {
    const { items } = await client.list(replicaSets, { namespace: metadata.namespace, signal });
    const current = items.find(
      (each) =>
        (each.metadata.ownerReferences ?? []).some(({ uid }) => uid === metadata.uid) &&
        each.metadata.annotations?.[revision] === metadata.annotations?.[revision],
    );
    return { label, value: current?.metadata.labels?.[label] };
  } catch (error) {
    // Whoever may deploy need not be allowed to read them.
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
