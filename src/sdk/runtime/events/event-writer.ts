import { Event } from '../../k8s/generated/events/v1.ts';
import { ApiError, isAlreadyExists, isNotFound, type Client } from '../../kube/index.ts';
import { Backoff, inContext, pause, systemClock, type Clock } from '../../net/index.ts';
import type { EventLoss } from '../metrics/index.ts';
import {
  seriesId,
  seriesKey,
  microTime,
  newSeries,
  type RecordedEvent,
  type Series,
  type EventSource,
} from './series.ts';

/**
 * Settings of the writer. Source: client-go `tools/events`; for `perObject`, client-go `tools/record`. Only `refresh` differs, because a
 * count that is half an hour old is misleading.
 */
const settings = {
  /** Milliseconds after an Event within which an equal Event is added to the same series. */
  window: 6 * 60_000,
  /** Milliseconds between two writes of the count of a series. The second Event of a series is written immediately. */
  refresh: 5 * 60_000,
  /** Maximum number of queued Events. */
  queue: 1000,
  /** Milliseconds for which the count of a series waits for space in a full queue. */
  fullQueue: 10_000,
  /** Maximum number of remembered series. */
  series: 4096,
  perObject: { burst: 25, refill: 5 * 60_000, objects: 4096 },
  tries: 5,
  backoff: { initial: 1000, factor: 2, maximum: 10_000, jitter: 0.25 },
  /** Maximum number of different mistakes in the program that are logged. */
  warnings: 100,
};

export interface EventWriterOptions {
  readonly client: Pick<Client, 'create' | 'patch'>;
  /** Clock of the waits, and of the times that are written to Events. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Writes the Events of all controllers of a manager, one after the other, in the background. Combines repeated Events into series, and
 * limits the length of the queue and the Events of each object. No input can make a caller wait or fail.
 */
export class EventWriter {
  readonly #client: Pick<Client, 'create' | 'patch'>;
  readonly #clock: Clock;
  readonly #allowance: ObjectAllowance;
  /** Series by the key that equal Events share, in the order in which the series began. */
  readonly #series = new Map<string, Series>();
  readonly #queue = new Set<Series>();
  /** Series whose count is to be written later, each with the function that cancels this write. */
  readonly #later = new Map<Series, () => void>();
  readonly #warned = new Set<string>();
  readonly #abort = new AbortController();
  #sending: Promise<void> | undefined;
  #closed = false;

  constructor({ client, clock = systemClock }: EventWriterOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#allowance = new ObjectAllowance(settings.perObject, clock);
  }

  /** Records an Event; never waits, never throws. */
  record(source: EventSource, event: RecordedEvent): void {
    if (this.#closed) {
      source.lost('stopped');
      return;
    }
    const series = this.#series.get(seriesKey(source, event));
    if (series !== undefined && this.#clock.now() - series.lastObserved <= settings.window) {
      this.#repeat(series);
      return;
    }
    if (!this.#allowance.take(`${source.controller} ${seriesId(event.regarding)}`))
      source.lost('rate_limited');
    else if (this.#queue.size >= settings.queue) source.lost('queue_full');
    else this.#begin(newSeries(source, event, this.#clock.today(), this.#clock.now()));
  }

  /** Logs a mistake in the program; each mistake only once. */
  warnOnce({ log, controller }: EventSource, problem: string): void {
    const text = `${controller} ${problem}`;
    if (this.#warned.has(text) || this.#warned.size >= settings.warnings) return;
    this.#warned.add(text);
    log.warn({ problem }, 'Invalid event; not written');
  }

  /** Writes the remaining Events, for at most the given milliseconds. Drops Events that are recorded afterwards. */
  async close(timeout = 2000): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const [series, callOff] of this.#later) {
      callOff();
      this.#enqueue(series);
    }
    this.#later.clear();
    const cancel = this.#clock.after(timeout, () => this.#abort.abort(new Error('the operator stops')));
    await this.#sending;
    cancel();
    this.#abort.abort();
  }

  #begin(series: Series): void {
    // Deletes the key first, so that the series moves to the end of the map: an ended series with the same key would keep its position.
    this.#series.delete(series.key);
    this.#series.set(series.key, series);
    this.#forget();
    this.#enqueue(series);
  }

  #repeat(series: Series): void {
    series.count += 1;
    series.lastObserved = this.#clock.now();
    series.lastObservedTime = microTime(this.#clock.today());
    this.#schedule(series);
  }

  /** Schedules the next write of a series: the first repetition is written immediately, the count of further repetitions later. */
  #schedule(series: Series): void {
    if (this.#queue.has(series) || this.#later.has(series)) return;
    const due = series.writtenCount <= 1 ? 0 : series.written + settings.refresh;
    const wait = Math.max(
      due - this.#clock.now(),
      this.#queue.size < settings.queue ? 0 : settings.fullQueue,
    );
    if (wait <= 0 || this.#closed) {
      this.#enqueue(series);
      return;
    }
    const cancel = this.#clock.after(wait, () => {
      this.#later.delete(series);
      this.#schedule(series);
    });
    this.#later.set(series, cancel);
  }

  /** Removes ended series, and the oldest series if too many are remembered. */
  #forget(): void {
    for (const [key, series] of this.#series) {
      const ended = this.#clock.now() - series.lastObserved > settings.window;
      if (!ended && this.#series.size <= settings.series) return;
      this.#series.delete(key);
    }
  }

  #enqueue(series: Series): void {
    this.#queue.add(series);
    this.#sending ??= this.#send();
  }

  /** Writes all queued series; in the async context of the writer, because one call writes the Events of several reconciles. */
  readonly #send = inContext(async () => {
    // Continues outside of the caller's stack.
    await Promise.resolve();
    for (const series of this.#queue) {
      this.#queue.delete(series);
      await this.#write(series);
    }
    this.#sending = undefined;
  });

  /** Writes a series with retries. Never rejects. */
  async #write(series: Series): Promise<void> {
    const backoff = new Backoff(settings.backoff);
    const { signal } = this.#abort;
    for (let attempt = 1; ; attempt += 1) {
      try {
        signal.throwIfAborted();
        series.written = this.#clock.now();
        await (series.writtenCount === 0 ? this.#create(series) : this.#patch(series));
        if (series.count > series.writtenCount) this.#schedule(series);
        return;
      } catch (error) {
        const loss = lossOf(error, signal);
        if (loss === undefined && attempt < settings.tries) {
          await pause(this.#clock, backoff.next(), signal);
          continue;
        }
        this.#lose(series, loss ?? 'unreachable', error);
        return;
      }
    }
  }

  async #create(series: Series): Promise<void> {
    const { source, event, name, namespace, eventTime, count, lastObservedTime } = series;
    const { reportingController, reportingInstance, fieldManager } = source;
    const body = {
      metadata: { name, namespace },
      ...{ eventTime, reportingController, reportingInstance },
      ...event,
      ...(count > 1 ? { series: { count, lastObservedTime } } : {}),
    };
    try {
      await this.#client.create(Event, body, { signal: this.#abort.signal, fieldManager });
      series.writtenCount = count;
    } catch (error) {
      // An earlier try created the Event, but its response was lost.
      if (!isAlreadyExists(error)) throw error;
      series.writtenCount = 1;
    }
  }

  async #patch(series: Series): Promise<void> {
    const { name, namespace, count, lastObservedTime, source } = series;
    const body = { series: { count, lastObservedTime } };
    const options = { signal: this.#abort.signal, fieldManager: source.fieldManager };
    try {
      await this.#client.patch(Event, { name, namespace }, { type: 'merge', body }, options);
      series.writtenCount = count;
    } catch (error) {
      // The Event was deleted, or has expired after an hour, so it is created again.
      if (!isNotFound(error)) throw error;
      await this.#create(series);
    }
  }

  #lose(series: Series, loss: EventLoss, error: unknown): void {
    const { source, event, key } = series;
    // Forgets this series, so that the next equal Event starts a new one.
    if (this.#series.get(key) === series) this.#series.delete(key);
    source.lost(loss);
    const { kind, namespace, name } = event.regarding;
    source.log.debug({ error, kind, namespace, name, reason: event.reason }, 'Event not written');
    if (isForbidden(error)) {
      const text = `${source.controller} forbidden`;
      if (this.#warned.has(text)) return;
      this.#warned.add(text);
      source.log.warn({ error }, 'Events cannot be written: the API server forbids it');
    }
  }
}

/** Returns the reason why another try to write an Event is pointless; undefined if a retry may succeed. */
function lossOf(error: unknown, signal: AbortSignal): EventLoss | undefined {
  if (signal.aborted) return 'stopped';
  const mayPass = !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
  return mayPass ? undefined : 'refused';
}

/**
 * Returns true if the API server forbids Events permanently. Returns false for a namespace that is being deleted, where nothing can be
 * created. Source: apiserver `NamespaceTerminatingCause`.
 */
function isForbidden(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 403) return false;
  return !(error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
}

interface AllowanceSettings {
  /** Maximum number of Events about an object at once. */
  readonly burst: number;
  /** Milliseconds until one more Event is allowed. */
  readonly refill: number;
  /** Maximum number of remembered objects; the least recently used ones are dropped. */
  readonly objects: number;
}

/** A token bucket for each object, so that an object in a hot loop cannot use up the allowance of others. */
class ObjectAllowance {
  readonly #settings: AllowanceSettings;
  readonly #clock: Clock;
  /** Buckets by object, ordered by their last use. */
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(settings: AllowanceSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Takes a token from the bucket of an object; returns false if the bucket is empty. */
  take(object: string): boolean {
    const { burst, refill, objects } = this.#settings;
    const now = this.#clock.now();
    const before = this.#buckets.get(object) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, before.tokens + (now - before.at) / refill);
    const allowed = tokens >= 1;
    this.#buckets.delete(object);
    this.#buckets.set(object, { tokens: allowed ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > objects) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return allowed;
  }
}
