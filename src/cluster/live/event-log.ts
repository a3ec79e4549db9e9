import type { KubeObject } from '../../sdk/api/index.ts';
import { Event } from '../../sdk/k8s/generated/events/v1.ts';
import { isForbidden, Reflector, type Connection } from '../../sdk/kube/index.ts';

/** A Kubernetes Event, as a row in the list that a page shows. */
export interface EventRow {
  readonly id: string;
  /** Time of the Event, in milliseconds since 1970. For a series of Events, the time of the last one. */
  readonly time: number;
  /** `Normal` or `Warning`. */
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly count: number;
}

/** Maximum number of Events that a page shows. */
const most = 200;

/** Follows the Events about objects of some kinds while a page is open. */
export class EventLog {
  readonly #connection: Connection;
  readonly #onNews: () => void;
  readonly #onForbidden: (kind: string) => void;
  readonly #events = new Map<string, EventRow>();
  #hasNews = false;
  #stop: AbortController | undefined;
  #done: Promise<void> = Promise.resolve();

  /**
   * @param onNews called when the rows have changed; the next call of `takeNews` then returns true
   * @param onForbidden called with the kind `Event` if the user may not read Events
   */
  constructor(connection: Connection, onNews: () => void, onForbidden: (kind: string) => void) {
    this.#connection = connection;
    this.#onNews = onNews;
    this.#onForbidden = onForbidden;
  }

  /**
   * Follows the Events about objects of the given kinds, and stops following the kinds of earlier calls. @param kinds names of the kinds
   */
  async follow(kinds: ReadonlySet<string>): Promise<void> {
    await this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    const concerns = ({ regarding }: Event): boolean => kinds.has(regarding?.kind ?? '');
    let refused = false;
    const reflector = new Reflector<Event>({
      connection: this.#connection,
      resource: Event,
      handler: {
        replace: (events) => {
          this.#events.clear();
          for (const event of events.filter(concerns)) this.#put(event);
          this.#changed();
        },
        apply: (type, event) => {
          // The API server deletes an Event when it expires. Its row is kept, because it still reports something that has happened.
          if (type === 'DELETED' || !concerns(event)) return;
          this.#put(event);
          this.#changed();
        },
      },
      onState: ({ error }) => {
        if (refused || !isForbidden(error)) return;
        refused = true;
        this.#onForbidden(Event.kind);
      },
    });
    this.#done = reflector.run(stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
    await this.#done;
  }

  /** Rows of all known Events, the oldest first. */
  get rows(): readonly EventRow[] {
    return [...this.#events.values()];
  }

  /** Returns true if the rows have changed since the last call. */
  takeNews(): boolean {
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    return hasNews;
  }

  #put(event: Event): void {
    const row = describeEvent(event);
    this.#events.delete(row.id);
    this.#events.set(row.id, row);
  }

  #changed(): void {
    const latest = this.rows.toSorted((a, b) => a.time - b.time).slice(-most);
    this.#events.clear();
    for (const row of latest) this.#events.set(row.id, row);
    this.#hasNews = true;
    this.#onNews();
  }
}

/** Converts an Event into a row. Clients of the old Event API fill only the deprecated fields, so these fields are read too. */
function describeEvent(event: Event): EventRow {
  const { metadata, eventTime, series, deprecatedLastTimestamp, deprecatedCount, regarding = {} } = event;
  const time = series?.lastObservedTime ?? deprecatedLastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return {
    id: metadata.uid ?? keyOf(event),
    time: Date.parse(time ?? '') || 0,
    type: event.type ?? '',
    reason: event.reason ?? '',
    note: event.note ?? '',
    kind: regarding.kind ?? '',
    ...(regarding.namespace === undefined ? {} : { namespace: regarding.namespace }),
    name: regarding.name ?? '',
    count: series?.count ?? deprecatedCount ?? 1,
  };
}

function keyOf({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}
