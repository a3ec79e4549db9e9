import { Event } from '../../k8s/generated/events/v1.ts';
import { ApiError, isAlreadyExists, isNotFound, type Client } from '../../kube/index.ts';
import { Backoff, pause, systemClock, type Clock } from '../../net/index.ts';
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

/** Source: client-go `tools/events`, apart from `refresh`: a count that is half an hour old misleads. Per object: `tools/record`. */
const settings = {
  /** Milliseconds: an equal Event within this time of the last one belongs to its series. */
  window: 6 * 60_000,
  /** Milliseconds between two writes of the count of a series. The second Event of a series is written at once. */
  refresh: 5 * 60_000,
  /** Events that wait to be written. */
  queue: 1000,
  /** Milliseconds that the count of a series waits for room in a full queue. */
  fullQueue: 10_000,
  /** Series that are remembered. */
  series: 4096,
  perObject: { burst: 25, refill: 5 * 60_000, objects: 4096 },
  tries: 5,
  backoff: { initial: 1000, factor: 2, maximum: 10_000, jitter: 0.25 },
  /** Different mistakes that are logged. */
  warnings: 100,
};

export interface EventWriterOptions {
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock?: Clock;
  /** The time of day, for the Events. Default: the system's. */
  readonly today?: () => Date;
}

/**
 * Writes the Events of all controllers of a manager, one after the other, in the background: series instead of repetitions, a bounded queue,
 * a limit for each object. Nothing that it is given can make a caller wait or fail.
 */
export class EventWriter {
  readonly #client: Pick<Client, 'create' | 'patch'>;
  readonly #clock: Clock;
  readonly #today: () => Date;
  readonly #allowance: ObjectAllowance;
  /** By what makes Events equal, in the order of their first Event. */
  readonly #series = new Map<string, Series>();
  readonly #queue = new Set<Series>();
  /** Series with a count to be written, and how to call that off. */
  readonly #later = new Map<Series, () => void>();
  readonly #warned = new Set<string>();
  readonly #abort = new AbortController();
  #sending: Promise<void> | undefined;
  #closed = false;

  constructor({ client, clock = systemClock, today = () => new Date() }: EventWriterOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#today = today;
    this.#allowance = new ObjectAllowance(settings.perObject, clock);
  }

  /** Takes an Event; never waits, never throws. */
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
    else this.#begin(newSeries(source, event, this.#today(), this.#clock.now()));
  }

  /** Logs a mistake in the program, each once. */
  warnOnce({ log, controller }: EventSource, problem: string): void {
    const text = `${controller} ${problem}`;
    if (this.#warned.has(text) || this.#warned.size >= settings.warnings) return;
    this.#warned.add(text);
    log.warn({ problem }, 'Invalid event; not written');
  }

  /** Writes what is still to be written, for at most so many milliseconds; later Events are dropped. */
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
    // To the end: an ended series of the same key has its place.
    this.#series.delete(series.key);
    this.#series.set(series.key, series);
    this.#forget();
    this.#enqueue(series);
  }

  #repeat(series: Series): void {
    series.count += 1;
    series.lastObserved = this.#clock.now();
    series.lastObservedTime = microTime(this.#today());
    this.#schedule(series);
  }

  /** The first repetition is news, further ones are a count. */
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

  /** Ended series, and the oldest if there are too many. */
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

  async #send(): Promise<void> {
    // Not on the stack of the caller.
    await Promise.resolve();
    for (const series of this.#queue) {
      this.#queue.delete(series);
      await this.#write(series);
    }
    this.#sending = undefined;
  }

  /** Never rejects. */
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
      // An earlier try got through, its answer did not.
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
      // Events live for an hour, unless somebody deletes them.
      if (!isNotFound(error)) throw error;
      await this.#create(series);
    }
  }

  #lose(series: Series, loss: EventLoss, error: unknown): void {
    const { source, event, key } = series;
    // The next one of its kind is a new Event.
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

/** Why it is not worth another try; undefined if it may be. */
function lossOf(error: unknown, signal: AbortSignal): EventLoss | undefined {
  if (signal.aborted) return 'stopped';
  const mayPass = !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
  return mayPass ? undefined : 'refused';
}

/** False for a namespace that is being deleted, where nothing can be created. Source: apiserver `NamespaceTerminatingCause`. */
function isForbidden(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 403) return false;
  return !(error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
}

interface AllowanceSettings {
  /** Events at once. */
  readonly burst: number;
  /** Milliseconds until there is one more. */
  readonly refill: number;
  /** Number of objects that are remembered; those that were quiet for longest are forgotten. */
  readonly objects: number;
}

/** A token bucket for each object: one that is in a hot loop cannot use up what others need. */
class ObjectAllowance {
  readonly #settings: AllowanceSettings;
  readonly #clock: Clock;
  /** In the order of their last use. */
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(settings: AllowanceSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Takes a token from the bucket of an object; false if the bucket is empty. */
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
