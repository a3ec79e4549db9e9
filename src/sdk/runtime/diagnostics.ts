import { channel } from 'node:diagnostics_channel';
import type { Resource } from '../api/index.ts';
import type { ApiError } from '../kube/index.ts';
import type { Controller, ReconcileObservation, ReconcileObserver } from './controller/index.ts';
import { LOW_PRIORITY, NORMAL_PRIORITY, type QueueObserver } from './queue/index.ts';

/** The message of the channel `opsdk:controller`: a controller was added to a manager. */
export interface ControllerMessage {
  readonly controller: string;
  readonly for: Resource;
  readonly owns: readonly Resource[];
}

/** The message of the channel `opsdk:queue`: the number of objects that a controller could reconcile now, over all priorities. */
export interface QueueMessage {
  readonly controller: string;
  readonly depth: number;
}

const controllers = channel('opsdk:controller');
const reconciles = channel('opsdk:reconcile');
const queues = channel('opsdk:queue');
const refusals = channel('opsdk:refusal');

/**
 * Publishes the activity of managers to subscribers within the process. A subscriber must subscribe to a channel before the manager is
 * created. Source: Node `diagnostics_channel`.
 */
export const diagnostics = {
  /** Publishes on `opsdk:controller` that a controller was added. */
  controllerAdded({ name, for: resource, owns }: Controller): void {
    if (!controllers.hasSubscribers) return;
    const message: ControllerMessage = {
      controller: name,
      for: resource,
      owns: owns.map((owned) => owned.resource),
    };
    controllers.publish(message);
  },

  /** Publishes on `opsdk:refusal` that the API server refused a request with status 403. The message is the ApiError. */
  refused(error: ApiError): void {
    if (refusals.hasSubscribers) refusals.publish(error);
  },

  /**
   * Returns an observer of reconciles that calls the given observer and also publishes on `opsdk:reconcile`. Without subscribers, returns
   * the given observer, which may be undefined.
   */
  reconcileObserver(observe: ReconcileObserver | undefined): ReconcileObserver | undefined {
    if (!reconciles.hasSubscribers) return observe;
    return (observation: ReconcileObservation) => {
      reconciles.publish(observation);
      return observe?.(observation);
    };
  },

  /** Returns an observer of a queue that calls the given observer and also publishes on `opsdk:queue`. */
  queueObserver(controller: string, observer: QueueObserver): QueueObserver {
    if (!queues.hasSubscribers) return observer;
    const depths = new Map([
      [NORMAL_PRIORITY, 0],
      [LOW_PRIORITY, 0],
    ]);
    return {
      ...observer,
      depth(length, priority) {
        observer.depth(length, priority);
        depths.set(priority, length);
        let depth = 0;
        for (const each of depths.values()) depth += each;
        const message: QueueMessage = { controller, depth };
        queues.publish(message);
      },
    };
  },
} as const;
