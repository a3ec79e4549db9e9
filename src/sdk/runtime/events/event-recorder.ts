import type { DeepReadonly, KubeObject } from '../../api/index.ts';
import { secrets } from '../../net/index.ts';
import { checkEvent, referenceTo, truncateNote } from './check-event.ts';
import type { EventSource } from './event-source.ts';
import type { EventWriter } from './event-writer.ts';

/** Optional parts of an Event. */
export interface EventOptions {
  /** The action that the controller took or tried, in CamelCase, at most 128 characters: `Scale`. Default: `Reconcile`. */
  readonly action?: string;
  /** A second object that took part, such as the Deployment that was scaled. */
  readonly related?: DeepReadonly<KubeObject>;
}

/**
 * Records Kubernetes Events about one object, as `kubectl describe` and `kubectl get events` show them. Nothing here waits or throws: the
 * requests are sent in the background, and what cannot be written is counted in `opsdk_events_dropped_total`. An Event that is the same as
 * one of the last 6 minutes is counted in that one (`series`). An object can have 25 different Events at once, then one every 5 minutes.
 *
 * Needs the permissions `create` and `patch` on `events` of `events.k8s.io`.
 */
export interface EventRecorder {
  /**
   * Something that was expected to happen.
   *
   * @param reason why, in CamelCase, at most 128 characters, for machines: `ScaledUp`. An invalid one is logged as a warning and not written
   * @param note for people; cut off beyond 1,024 bytes. Put what varies here, and keep it short of times and counters: equal Events are counted
   */
  normal(reason: string, note: string, options?: EventOptions): void;
  /** Something that people should look at. Parameters as of `normal`. */
  warning(reason: string, note: string, options?: EventOptions): void;
  /** A recorder of Events about another object. They are written into its namespace, for cluster-scoped ones into `default`. */
  about(object: DeepReadonly<KubeObject>): EventRecorder;
}

/** A recorder of a source, about one object. */
export function recorderFor(
  writer: EventWriter,
  source: EventSource,
  object: DeepReadonly<KubeObject>,
): EventRecorder {
  const record = (
    type: 'Normal' | 'Warning',
    reason: string,
    note: string,
    { action = 'Reconcile', related }: EventOptions = {},
  ): void => {
    const problem = checkEvent({ object, related, reason, action, note });
    if (problem !== undefined) {
      source.lost('invalid');
      writer.warnOnce(source, problem);
      return;
    }
    writer.record(source, {
      ...{ type, reason, action, note: truncateNote(secrets.redact(note)), regarding: referenceTo(object) },
      ...(related === undefined ? {} : { related: referenceTo(related) }),
    });
  };
  return {
    normal: (reason, note, options) => record('Normal', reason, note, options),
    warning: (reason, note, options) => record('Warning', reason, note, options),
    about: (other) => recorderFor(writer, source, other),
  };
}
