import type { KubeClient } from '../../sdk/kube/index.ts';
import type { Clock } from '../../sdk/net/index.ts';
import { Pod, type PodStatus } from '../../sdk/k8s/generated/core/v1.ts';
import type { ContainerRuntime } from './container-runtime.ts';
import { isOutdated } from './mirror.ts';
import type { PodRecorder } from './pod-events.ts';
import { PodMachine } from './pod-machine.ts';
import type { PodNeeds, PodScript } from './pod-script.ts';
import { isOver } from './pod-status.ts';

interface KubeletOptions {
  readonly client: KubeClient;
  readonly hostIP: string;
  readonly clock: Clock;
  /** Returns the time for statuses. */
  readonly now: () => Date;
  readonly runtime: ContainerRuntime;
  readonly script: PodScript;
  readonly needs: PodNeeds;
  readonly record: PodRecorder;
  readonly backOff: { readonly first: number; readonly longest: number };
  /** Chooses an address for a Pod. */
  readonly addressOf: (pod: Pod) => string;
  readonly onError: (error: unknown) => void;
}

/** Delay before a status is written again after an error of the API server, in milliseconds. */
const retryDelay = 500;

/** Maximum number of statuses of a Pod that wait to be written. If there are more, the oldest ones are dropped. */
const longestQueue = 50;

/** A Pod on the node, and its statuses that are to be written. */
interface Entry {
  readonly machine: PodMachine;
  queue: PodStatus[];
  isWriting: boolean;
  /** The Pod as it was stored with the last status that was written. */
  written: Pod | undefined;
  /** True once the containers have ended, so that the Pod is to be removed from the API server. */
  isEnded: boolean;
}

/** Runs the Pods of one node and writes their statuses. */
export class Kubelet {
  readonly #options: KubeletOptions;
  readonly #entries = new Map<string, Entry>();
  #isDown = false;

  constructor(options: KubeletOptions) {
    this.#options = options;
  }

  /** The machines of the Pods on this node. */
  get machines(): readonly PodMachine[] {
    return [...this.#entries.values()].map(({ machine }) => machine);
  }

  /** Accepts a new or changed Pod of this node. */
  take(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    if (this.#isDown) return;
    const known = this.#entries.get(uid);
    if (known !== undefined) return known.machine.update(pod, isOverruled(known, pod));
    // A node that has come up does not know what ran before it went down, so a Pod that is being deleted has no containers to end.
    if (pod.metadata.deletionTimestamp !== undefined) return this.#removeUnknown(pod);
    if (isOver(pod.status?.phase)) return;
    const { hostIP, addressOf } = this.#options;
    const entry: Entry = {
      machine: new PodMachine(pod, {
        ...this.#options,
        podIP: pod.spec?.hostNetwork === true ? hostIP : addressOf(pod),
        publish: (status) => {
          entry.queue = [...entry.queue, status].slice(-longestQueue);
          this.#write(entry);
        },
        ended: () => {
          entry.isEnded = true;
          this.#write(entry);
        },
      }),
      queue: [],
      isWriting: false,
      written: undefined,
      isEnded: false,
    };
    this.#entries.set(uid, entry);
    entry.machine.step();
  }

  /** Removes a Pod that the API server no longer has, and ends its containers. */
  forget(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    this.#entries.get(uid)?.machine.dispose();
    this.#entries.delete(uid);
    this.#options.runtime.forget(pod);
  }

  /** Ends all containers without telling the API server, as when the machine loses power. */
  goDown(): void {
    this.#isDown = true;
    for (const { machine } of this.#entries.values()) machine.dispose();
    this.#entries.clear();
  }

  /** Starts working again. Starts the given Pods from the beginning, because a node that was down has forgotten them. */
  comeUp(pods: readonly Pod[]): void {
    this.#isDown = false;
    for (const pod of pods) this.take(pod);
  }

  /** Writes the statuses of a Pod one after the other, so that a watch receives each of them, as from a real node. */
  #write(entry: Entry): void {
    if (entry.isWriting) return;
    entry.isWriting = true;
    this.#writeAll(entry).then(
      () => {
        entry.isWriting = false;
        // Another status may have been added since the last one was written.
        if ((entry.queue.length > 0 || entry.isEnded) && !this.#isDown) this.#write(entry);
      },
      (error: unknown) => {
        entry.isWriting = false;
        // The Pod is gone, or another one has its name. The mirror has noticed this already, or will soon.
        if (isOutdated(error) || !this.#isKnown(entry)) return;
        this.#options.onError(error);
        this.#options.clock.after(retryDelay, () => this.#write(entry));
      },
    );
  }

  async #writeAll(entry: Entry): Promise<void> {
    const { client } = this.#options;
    for (let status = entry.queue[0]; status !== undefined && !this.#isDown; status = entry.queue[0]) {
      const { metadata } = entry.machine.pod;
      // A reason or a message of the last status stays unless it is removed.
      const conditions = status.conditions?.map((condition) => ({
        reason: null,
        message: null,
        ...condition,
      }));
      const body = { metadata: { uid: metadata.uid }, status: { ...status, conditions } };
      entry.written = await client.patch(
        Pod,
        metadata,
        { type: 'strategic', body },
        { subresource: 'status' },
      );
      entry.queue = entry.queue.filter((each) => each !== status);
    }
    if (!entry.isEnded || this.#isDown) return;
    await this.#remove(entry.machine.pod);
    entry.isEnded = false;
  }

  #isKnown({ machine }: Entry): boolean {
    return this.#entries.get(machine.pod.metadata.uid ?? '')?.machine === machine;
  }

  #removeUnknown(pod: Pod): void {
    this.#remove(pod).catch((error: unknown) => {
      if (!isOutdated(error)) this.#options.onError(error);
    });
  }

  /** Removes a Pod from the API server. Call it once none of its containers runs. */
  async #remove({ metadata: { name, namespace, uid } }: Pod): Promise<void> {
    await this.#options.client.raw.request({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/pods/${name}`,
      body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid } },
    });
  }
}

/**
 * Returns true if another client has changed the readiness of a Pod. The node controller makes the Pods of a lost node unready, and only
 * the node can make them ready again. Source: kubernetes `pkg/kubelet/status/status_manager.go`, `needsReconcile`
 */
function isOverruled({ written, queue, isWriting }: Entry, pod: Pod): boolean {
  if (written === undefined || isWriting || queue.length > 0) return false;
  const versionOf = ({ metadata }: Pod): bigint => BigInt(metadata.resourceVersion ?? '0');
  return versionOf(pod) > versionOf(written) && readinessOf(pod) !== readinessOf(written);
}

function readinessOf({ status }: Pod): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}
