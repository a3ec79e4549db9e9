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
  /** Objects to wait for. Objects of types without a rollout are skipped. */
  readonly objects: readonly ClusterObject[];
  /** Maximum time for all rollouts together, in milliseconds. */
  readonly timeout: number;
  /** Time between two checks, in milliseconds. Default: 500. */
  readonly interval?: number | undefined;
  /** Minimum time for which a cause must last before it ends the wait early. */
  readonly patience?: Patience | undefined;
  /** Fixes that name flags of the command that waits. Default: fixes with flags of `op-sdk deploy`. */
  readonly advice?: RolloutAdvice | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with a line about the objects whose rollouts are not complete yet, whenever this line changes. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * Waits until the Deployments, DaemonSets and StatefulSets among the objects are rolled out. Their rollouts are awaited in parallel. The
 * wait for a workload ends early if its rollout cannot succeed without a change.
 *
 * @throws OpSdkError with one finding for each workload, which includes the problems of its Pods: `cluster/rollout-failed` when a
 * controller gives up, `cluster/image-not-pulled`, `cluster/no-nodes`, `cluster/rollout-timeout`
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
    // Until the workload's controller has observed the change, the Pods still have the former template, so do not look for causes yet.
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
    // Prefer the fixes of the cause to those of the Pods, because the problems of the Pods may only be consequences. An example is a
    // cluster without nodes.
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

/** Fixes that are different for each command, because they name flags of the command that waits for the rollout. */
interface RolloutAdvice {
  /** Fixes for an image that cannot be pulled. */
  readonly image: readonly string[];
  /** Fix for a rollout that needs more time than the wait allows. */
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

/** Reason why a rollout cannot succeed, no matter how long the command waits. */
type LastingCause = Pick<Finding, 'code' | 'message' | 'fix'>;

/**
 * Minimum time for which a cause must last before it ends the wait, in milliseconds, for each kind of cause. A problem that disappears
 * earlier is ignored.
 */
interface Patience {
  /** Minimum time for an image that does not exist or must not be pulled. It is long enough for a second pull. */
  readonly image: number;
  /** Minimum time for a cluster without nodes. It is long enough for a cluster that is being created to get its first node. */
  readonly noNodes: number;
  /** Minimum time for a cluster in which all nodes are unready. It is long enough for a node to restart. */
  readonly unreadyNodes: number;
}

const defaultPatience: Patience = { image: 20_000, noNodes: 30_000, unreadyNodes: 60_000 };

/** Time between two checks of the nodes, in milliseconds. It is long, because nodes are many and large objects. */
const nodesInterval = 5_000;

/** Reasons of Events with which the cluster autoscaler and Karpenter announce a new node. */
const scalingReasons: ReadonlySet<string> = new Set(['TriggeredScaleUp', 'Nominated']);

type Found = LastingCause & { readonly kind: keyof Patience };

/**
 * Finds causes that prevent the rollout of one workload. Each call of `look` is one check. The instance remembers the cause between calls,
 * in order to measure how long the cause lasts.
 */
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

  /** Cause that the last check has found, even if it has not lasted long enough to count. */
  get present(): LastingCause | undefined {
    return this.#found;
  }

  /** Forgets the cause that was found, for use after a failed check, because the cause may have changed meanwhile. */
  forget(): void {
    this.#found = undefined;
  }

  /** Checks for causes once. @returns a cause that has lasted long enough to end the wait; undefined if no cause has */
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
    // This cause has no fixes, so that the fixes of the Pods are used.
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
  // Only the node of a Pod writes container statuses, so this Pod has a node.
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

/** Reasons of a failed pull that persist when the pull is repeated. Source: pkg/kubelet/images/types.go */
const finalReasons: ReadonlySet<string> = new Set(['InvalidImageName', 'ErrImageNeverPull']);

/**
 * Reasons of a failed pull whose message contains the registry's response. With `ImagePullBackOff`, it is the response to the last pull.
 */
const pullReasons: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

/** Error messages of registries that persist when the pull is repeated, in the words of containerd, CRI-O and docker. */
const finalAnswers =
  /not found|manifest unknown|name unknown|does not exist|access denied|unauthorized|authentication required|authorization failed|forbidden|no match for platform/i;

/** Error messages for problems that may disappear without a change, because a node may be unable to reach its registry for a while. */
const passingAnswers =
  /\blookup\b|dial tcp|timeout|timed out|connection re(?:fused|set)|too ?many ?requests|rate limit|\b(?:429|50\d)\b/i;

/**
 * Returns the name of an image of the Pod that cannot be pulled, not even by another attempt. Returns undefined if the Pod has no such
 * image.
 */
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

/** Maximum number of nodes to check. If the cluster has more nodes, at least one is assumed to be usable. */
const looked = 50;

/**
 * Checks if the cluster has nodes that accept Pods.
 *
 * @returns `none` if the cluster has no nodes; `unready` if no node is both ready and accepts Pods; `usable` in all other cases, and also
 * if the user may not read nodes
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
 * Lists the Pods that were created from the current template of a workload. Pods of an earlier deploy are omitted, because they are
 * replaced whatever their state. The result is empty if the current template cannot be identified.
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

/** Returns the name and value of the label that only the Pods of the current template have. */
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
    // A user who may deploy is not necessarily allowed to read ReplicaSets.
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
