import { channel } from 'node:diagnostics_channel';
import type { Resource } from '../api/index.ts';
import type { ApiError, ObjectKey } from '../kube/index.ts';
import type {
  Controller,
  ReconcileObservation,
  ReconcileObserver,
  ReconcileTrigger,
} from './controller/index.ts';
import type { ReconcileOutcome } from './metrics/index.ts';
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

/** Result of a run, and the delay until the next run. */
export interface RunEnd {
  readonly outcome: ReconcileOutcome;
  /** Milliseconds until the next run; undefined if a next run is not planned. */
  readonly delay?: number | undefined;
  /** The thrown value if the outcome is `error`. */
  readonly error?: unknown;
}

/** The message of the channel `opsdk:run`: a run of a reconcile is about to begin. */
export interface RunMessage {
  readonly controller: string;
  readonly for: Resource;
  readonly key: ObjectKey;
  /** ID of the run, contained in its log lines. */
  readonly reconcileID: string;
  /** Trigger of the run; undefined if it is unknown. */
  readonly trigger: ReconcileTrigger | undefined;
  /** Number of the try: 1 for the first run, and one more after each error. */
  readonly attempt: number;
  /** Milliseconds for which the key has waited for a worker. */
  readonly waited: number | undefined;
  /**
   * Reconciles the object; resolves when an error is handled, too, and never rejects. A subscriber may replace it by a function that calls
   * it once and returns its result, for example in an async context of its own.
   */
  run: () => Promise<RunEnd>;
}

const controllers = channel('opsdk:controller');
const reconciles = channel('opsdk:reconcile');
const queues = channel('opsdk:queue');
const refusals = channel('opsdk:refusal');
const runs = channel('opsdk:run');

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

  /** Runs a reconcile, and publishes it on `opsdk:run` before. */
  run(message: RunMessage): Promise<RunEnd> {
    if (runs.hasSubscribers) runs.publish(message);
    return message.run();
  },

  /**
   * Returns an observer of reconciles that calls the given observer and also publishes on `opsdk:reconcile`. Without subscribers of this
   * channel and of `opsdk:run`, whose messages have the triggers that an observer makes known, returns the given observer, which may be
   * undefined.
   */
  reconcileObserver(observe: ReconcileObserver | undefined): ReconcileObserver | undefined {
    if (!reconciles.hasSubscribers && !runs.hasSubscribers) return observe;
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
