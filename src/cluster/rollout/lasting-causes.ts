import { type KubeObject, externalResource } from '../../sdk/api/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import { type KubeClient, ApiError } from '../../sdk/kube/index.ts';
import { eventReasons } from './describe-pods.ts';
import type { PodLike } from './pod-problems.ts';

/** Why a rollout cannot come to an end, however long one waits. */
export type LastingCause = Pick<Finding, 'code' | 'message' | 'fix'>;

/** Milliseconds for which a cause must last before it counts: less than that may pass by itself. */
export interface Patience {
  /** An image that is not there, or may not be had: time for a second pull. */
  readonly image: number;
  /** A cluster without a node: one that is being created gets its first in this time. */
  readonly noNodes: number;
  /** Nodes of which none is ready: one that starts again is back by then. */
  readonly unreadyNodes: number;
}

export const defaultPatience: Patience = { image: 20_000, noNodes: 30_000, unreadyNodes: 60_000 };

/** Milliseconds between two looks at the nodes, which are many objects, and large ones. */
const nodesInterval = 5_000;

/** The words of the cluster autoscaler and of Karpenter for a node that is on its way. */
const scalingReasons: ReadonlySet<string> = new Set(['TriggeredScaleUp', 'Nominated']);

type Found = LastingCause & { readonly kind: keyof Patience };

/** Looks for lasting causes at one workload, look by look. */
export class LastingCauses {
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

  /** Cause that the last look has found, however short that is. */
  get present(): LastingCause | undefined {
    return this.#found;
  }

  /** After a look that failed nobody knows what was meanwhile. */
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
    // The fix is that of the Pods.
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
  // They come from its node.
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

/** Reasons that no repetition mends. Source: pkg/kubelet/images/types.go */
const finalReasons: ReadonlySet<string> = new Set(['InvalidImageName', 'ErrImageNeverPull']);

/** `ImagePullBackOff` quotes the answer to the last pull. */
const pullReasons: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

/** The answers of registries, in the words of containerd, CRI-O and docker, that are the same the next time. */
const finalAnswers =
  /not found|manifest unknown|name unknown|does not exist|access denied|unauthorized|authentication required|authorization failed|forbidden|no match for platform/i;

/** Answers that pass: a node does not reach its registry for a while. */
const passingAnswers =
  /\blookup\b|dial tcp|timeout|timed out|connection re(?:fused|set)|too ?many ?requests|rate limit|\b(?:429|50\d)\b/i;

/** The image that a Pod cannot have and will not get by itself; undefined if there is none. */
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

/** A cluster with more of them has one that can be used. */
const looked = 50;

/**
 * Finds whether nodes can take Pods: `none` at all, `unready` if not one of them is ready and takes Pods.
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
 * Lists the Pods of a workload that have its present template. Pods of a former deploy are replaced, whatever their state.
 * None if that cannot be found out.
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

/** The label that tells the Pods of one template from those of another. */
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
