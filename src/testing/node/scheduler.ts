import type { KubeClient } from '../../sdk/kube/index.ts';
import type { Clock } from '../../sdk/net/index.ts';
import { Pod, type Node, type PodCondition } from '../../sdk/k8s/generated/core/v1.ts';
import { seconds } from '../api/requests/write-parts.ts';
import { isOutdated } from './mirror.ts';
import type { PodRecorder } from './pod-events.ts';
import { isOver } from './pod-status.ts';
import { placePod, type OccupiedNode, type SchedulingView } from './place-pod.ts';

interface SchedulerOptions extends Pick<SchedulingView, 'namespaceLabels' | 'volumeReason'> {
  readonly client: KubeClient;
  readonly nodes: () => readonly Node[];
  readonly pods: () => readonly Pod[];
  readonly clock: Clock;
  /**
   * Requests the volumes of a Pod on a node. Resolves to true if they are bound; if not, a later change of the volumes calls `schedule`.
   */
  readonly bindVolumes: (pod: Pod, node: string) => Promise<boolean>;
  /** Records Events, as the scheduler. */
  readonly record: PodRecorder;
  /** Ends the scheduler. */
  readonly signal: AbortSignal;
  /** Returns the time for conditions. */
  readonly now: () => Date;
  /** Called with errors of the API server after which the scheduler tries again. */
  readonly onError: (error: unknown) => void;
}

/** Delay before the scheduler tries again after an error of the API server, in milliseconds. */
const retryDelay = 500;

/** Binds Pods to nodes, one after the other. Writes into the status of a Pod why it fits on no node. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  /** Nodes of Pods that have just been bound, kept until the mirror has the binding. */
  readonly #assumed = new Map<string, string>();
  #isRunning = false;
  #isDue = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Tries to bind all Pods without a node. Call it after each change of a Pod, a node, a namespace or a volume. */
  schedule(): void {
    this.#isDue = true;
    if (this.#isRunning || this.#options.signal.aborted) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    // Wait a moment, so that simultaneous changes are handled together.
    await Promise.resolve();
    try {
      while (this.#isDue) {
        this.#isDue = false;
        for (const pod of this.#waiting()) {
          await this.#place(pod).catch((error: unknown) => {
            const { clock, onError, signal } = this.#options;
            // The Pod was deleted or bound meanwhile, which the mirror will show soon; or the control plane has ended.
            if (isOutdated(error) || signal.aborted) return;
            onError(error);
            clock.after(retryDelay, () => this.schedule());
          });
        }
      }
    } finally {
      // Set in the same step as the last check for due Pods. Otherwise a change in between would be missed.
      this.#isRunning = false;
    }
  }

  #waiting(): readonly Pod[] {
    const pods = this.#options.pods();
    const uids = new Set(pods.map(uidOf));
    for (const uid of this.#assumed.keys()) if (!uids.has(uid)) this.#assumed.delete(uid);
    return pods
      .filter(
        (pod) =>
          nodeOf(pod) === undefined &&
          !this.#assumed.has(uidOf(pod)) &&
          pod.metadata.deletionTimestamp === undefined &&
          (pod.spec?.schedulerName ?? 'default-scheduler') === 'default-scheduler' &&
          (pod.spec?.schedulingGates ?? []).length === 0,
      )
      .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
  }

  async #place(pod: Pod): Promise<void> {
    const { client, namespaceLabels, volumeReason, bindVolumes } = this.#options;
    const placement = placePod(pod, { nodes: this.#occupied(), namespaceLabels, volumeReason });
    if ('message' in placement) return this.#refuse(pod, placement.message);
    if (!(await bindVolumes(pod, placement.node))) return;
    this.#assumed.set(uidOf(pod), placement.node);
    const { name, namespace, uid } = pod.metadata;
    try {
      await client.raw.request({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`,
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, namespace, uid },
          target: { apiVersion: 'v1', kind: 'Node', name: placement.node },
        },
      });
    } catch (error) {
      this.#assumed.delete(uidOf(pod));
      throw error;
    }
    const note = `Successfully assigned ${namespace}/${name} to ${placement.node}`;
    this.#options.record(pod).normal('Scheduled', note, { action: 'Binding' });
  }

  #occupied(): readonly OccupiedNode[] {
    const pods = this.#options.pods().filter(({ status }) => !isOver(status?.phase));
    return this.#options.nodes().map((node) => ({
      node,
      pods: pods.filter((pod) => (nodeOf(pod) ?? this.#assumed.get(uidOf(pod))) === node.metadata.name),
    }));
  }

  async #refuse(pod: Pod, message: string): Promise<void> {
    const { client, now } = this.#options;
    const conditions = pod.status?.conditions ?? [];
    const before = conditions.find(({ type }) => type === 'PodScheduled');
    if (before?.reason === 'Unschedulable' && before.message === message) return;
    this.#options.record(pod).warning('FailedScheduling', message, { action: 'Scheduling' });
    const condition: PodCondition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime:
        before?.status === 'False' && before.lastTransitionTime !== undefined
          ? before.lastTransitionTime
          : seconds(now()),
      observedGeneration: pod.metadata.generation,
    };
    await client.patch(
      Pod,
      pod.metadata,
      {
        type: 'strategic',
        body: { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } },
      },
      { subresource: 'status' },
    );
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? '';
}

function nodeOf({ spec }: Pod): string | undefined {
  return spec?.nodeName === '' ? undefined : spec?.nodeName;
}
