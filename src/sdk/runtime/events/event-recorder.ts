import { eventNameFormat, hasFormat, type DeepReadonly, type KubeObject } from '../../api/index.ts';
import { secrets } from '../../net/index.ts';
import type { ObjectReference } from '../../k8s/generated/core/v1.ts';
import type { EventSource } from './series.ts';
import type { EventWriter } from './event-writer.ts';

/** Optional parts of an Event. */
export interface EventOptions {
  /** The action that the controller performed or tried, in CamelCase, at most 128 characters: `Scale`. Default: `Reconcile`. */
  readonly action?: string;
  /** A second object that is involved, such as the scaled Deployment. */
  readonly related?: DeepReadonly<KubeObject>;
}

/**
 * Records Kubernetes Events about one object, as shown by `kubectl describe` and `kubectl get events`. All methods return immediately and
 * never throw: the requests are sent in the background, and Events that cannot be written are counted in `opsdk_events_dropped_total`. If
 * an equal Event was recorded within the last 6 minutes, only the count of that Event (`series`) is increased. An object can have 25
 * different Events at once, then one more every 5 minutes.
 *
 * Needs the permissions `create` and `patch` on `events` of `events.k8s.io`.
 */
export interface EventRecorder {
  /**
   * Records an expected event.
   *
   * @param reason in CamelCase, at most 128 characters, for machines: `ScaledUp`. An event with an invalid reason is logged as a warning
   * and not written
   * @param note for people; truncated beyond 1,024 bytes. Put variable parts here, but no times and counters, because only equal Events are
   * combined into one
   */
  normal(reason: string, note: string, options?: EventOptions): void;
  /** Records an event that requires attention. The parameters are those of `normal`. */
  warning(reason: string, note: string, options?: EventOptions): void;
  /**
   * Returns a recorder of Events about another object. These Events are written into the namespace of that object, or into `default` if it
   * is cluster-scoped.
   */
  about(object: DeepReadonly<KubeObject>): EventRecorder;
}

/** Creates a recorder for a source that writes Events about one object. */
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

// Maximum length of a note. The API server counts bytes. Source: its `ValidateEventCreate`.
const LONGEST_NOTE = 1024;

interface EventInput {
  readonly object: DeepReadonly<KubeObject>;
  readonly related: DeepReadonly<KubeObject> | undefined;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Returns the reason why an Event is invalid; undefined if it is valid. Callers in JavaScript may pass any value. */
function checkEvent({ object, related, reason, action, note }: EventInput): string | undefined {
  for (const [name, value] of Object.entries({ reason, action })) {
    if (!hasFormat(value, eventNameFormat))
      return `${name}: expected CamelCase of 1 to ${eventNameFormat.longest} characters, got ${typeof value === 'string' ? JSON.stringify(value) : typeof value}`;
  }
  if (typeof note !== 'string') return `note: expected a string, got ${typeof note}`;
  for (const [name, value] of Object.entries({ object, related })) {
    if (name === 'related' && value === undefined) continue;
    if (!value?.apiVersion || !value.kind || !value.metadata?.name)
      return `${name}: expected an object with apiVersion, kind and metadata.name`;
  }
  return undefined;
}

/** Truncates text with an ellipsis to at most 1,024 bytes. */
function truncateNote(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= LONGEST_NOTE) return note;
  let end = LONGEST_NOTE - Buffer.byteLength('…');
  // Moves the end back to the start of a character, so that no character is split. All bytes of a character after the first are 10xxxxxx.
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return `${bytes.toString('utf8', 0, end)}…`;
}

/** Returns the reference with which `kubectl describe` finds the Events of an object: kind, name, namespace and uid. */
function referenceTo(object: DeepReadonly<KubeObject>): ObjectReference {
  const { apiVersion, kind } = object;
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return { apiVersion, kind, name, namespace, uid, resourceVersion };
}
