import type { FeedRefusal } from './feed/messages.ts';

/** Requests that the API server refused, those with the same message as one. */
export interface RefusalRow {
  readonly message: string;
  /** Suggestions for a fix: for RBAC the missing rule. */
  readonly fix: readonly string[];
  /** Milliseconds since 1970, of the last one. */
  readonly last: number;
  readonly count: number;
}

/** Different refusals that a page shows. */
const most = 100;

export class RefusalLog {
  readonly #rows = new Map<string, RefusalRow>();

  /** The one that came last is the last one. */
  get rows(): readonly RefusalRow[] {
    return [...this.#rows.values()];
  }

  add({ message, fix, time }: FeedRefusal): void {
    const count = (this.#rows.get(message)?.count ?? 0) + 1;
    this.#rows.delete(message);
    this.#rows.set(message, { message, fix, last: time, count });
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > most && oldest !== undefined) this.#rows.delete(oldest);
  }
}
