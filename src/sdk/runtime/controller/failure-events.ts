import { messageOf } from '../../../base/errors/index.ts';
import type { Clock } from '../../net/index.ts';
import type { CachedObject } from '../cache/index.ts';
import type { EventRecorder } from '../events/index.ts';

/** Number of failures in a row from which on Events are recorded. Fewer are normal, such as a request that was lost. */
const FAILURES = 3;
const INTERVAL_MS = 5 * 60_000;

/** Records Warning Events about objects whose reconcile keeps failing, at most one in five minutes for each object. */
export class FailureEvents {
  readonly #clock: Clock;
  /** Times of the last Events by uid of the object, the oldest first. */
  readonly #recorded = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(
    object: CachedObject,
    {
      error,
      attempt,
      willRetry,
    }: { readonly error: Error; readonly attempt: number; readonly willRetry: boolean },
    events: EventRecorder,
  ): void {
    const { uid, deletionTimestamp } = object.metadata;
    // Nothing can be created in a namespace under deletion, and its objects go with it.
    if (deletionTimestamp !== undefined || (willRetry && attempt < FAILURES)) return;
    const now = this.#clock.now();
    for (const [id, time] of this.#recorded) {
      if (now - time < INTERVAL_MS) break;
      this.#recorded.delete(id);
    }
    if (this.#recorded.has(uid)) return;
    this.#recorded.set(uid, now);
    events.warning('ReconcileFailed', messageOf(error));
  }
}
