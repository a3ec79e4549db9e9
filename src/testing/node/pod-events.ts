import type { KubeClient } from '../../sdk/kube/index.ts';
import type { Clock } from '../../sdk/net/index.ts';
import type { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { createLogger, EventWriter, recorderFor, type EventRecorder } from '../../sdk/runtime/index.ts';

/** Events that a part of a node records about Pods. */
export type PodRecorder = (pod: Pod) => EventRecorder;

interface PodEventsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
}

/** Writes the Events of the scheduler and the kubelets, in the background. Events that cannot be written are lost, as in a cluster. */
export class PodEvents {
  readonly #writer: EventWriter;
  readonly #log = createLogger({ level: 'error' });

  constructor({ client, clock }: PodEventsOptions) {
    this.#writer = new EventWriter({ client, clock });
  }

  /** Returns the recorder of a component. @param instance name of the node, or of the scheduler */
  recorder(component: 'kubelet' | 'default-scheduler', instance: string): PodRecorder {
    const source = {
      controller: component,
      fieldManager: 'op-sdk-node',
      reportingController: component,
      reportingInstance: instance,
      log: this.#log,
      lost: () => undefined,
    };
    return (pod) => recorderFor(this.#writer, source, { ...pod, apiVersion: 'v1', kind: 'Pod' });
  }

  /** Ends the writing without waiting for the API server, which may be gone. */
  async close(): Promise<void> {
    await this.#writer.close(0);
  }
}
