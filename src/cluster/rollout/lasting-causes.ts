import type { KubeObject } from '../../sdk/api/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { currentPods } from './current-pods.ts';
import { eventReasons } from './describe-pods.ts';
import type { PodLike } from './pod-problems.ts';
import { imageNotToBePulled } from './pull-failure.ts';
import { nodesOf } from './usable-nodes.ts';

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
