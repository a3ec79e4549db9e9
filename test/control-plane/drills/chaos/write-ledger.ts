/** Result of looking for the writes of a ledger in the store. */
export interface Verdict {
  /** Number of writes that the store has confirmed. */
  readonly acknowledged: number;
  /** Number of writes that the store has not confirmed: it may have them or not. */
  readonly unconfirmed: number;
  /** Number of those of them that are there. */
  readonly unconfirmedFound: number;
  /** Acknowledged writes that are not there. */
  readonly lost: readonly number[];
  /** Writes, acknowledged or not, that are there with another value than the one that was written. */
  readonly wrong: readonly number[];
}

/** Returns the key of a numbered write. */
export const keyOf = (number: number): string => `chaos-${number}`;

/** Returns the value of a numbered write. */
export const valueOf = (number: number): string => `value of ${number}`;

/** Remembers which numbered writes a store has confirmed. Each number is written once. */
export class WriteLedger {
  #next = 0;
  readonly #acknowledged = new Set<number>();
  readonly #errors = new Map<string, number>();

  /** Writes the next number. An error leaves it unconfirmed. @returns true if the store has confirmed it */
  async write(put: (key: string, value: string) => Promise<unknown>): Promise<boolean> {
    const number = this.#next++;
    try {
      await put(keyOf(number), valueOf(number));
    } catch (error) {
      const text = String(error).replace(/\d+/g, '#').slice(0, 120);
      this.#errors.set(text, (this.#errors.get(text) ?? 0) + 1);
      return false;
    }
    this.#acknowledged.add(number);
    return true;
  }

  /** Numbers of acknowledged writes so far. */
  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Errors of the writes, with numbers as `#`, and how often each came. */
  get errors(): ReadonlyMap<string, number> {
    return this.#errors;
  }

  /** All keys that were written, confirmed or not. */
  get keys(): readonly string[] {
    return Array.from({ length: this.#next }, (_, number) => keyOf(number));
  }

  /** Compares what is in the store with what was written. @param found values by key */
  judge(found: ReadonlyMap<string, string>): Verdict {
    const numbers = Array.from({ length: this.#next }, (_, number) => number);
    const isThere = (number: number): boolean => found.has(keyOf(number));
    const unconfirmed = numbers.filter((number) => !this.#acknowledged.has(number));
    return {
      acknowledged: this.#acknowledged.size,
      unconfirmed: unconfirmed.length,
      unconfirmedFound: unconfirmed.filter(isThere).length,
      lost: numbers.filter((number) => this.#acknowledged.has(number) && !isThere(number)),
      wrong: numbers.filter((number) => isThere(number) && found.get(keyOf(number)) !== valueOf(number)),
    };
  }
}

/** Pause of a writer after a write that failed, in milliseconds: nobody is there for a moment. */
const pauseAfterFailure = 50;

/**
 * Writes numbers one after the other, by several writers at the same time, until the signal is aborted.
 * @param puts writers; each has one write on its way
 */
export async function writeUntil(
  ledger: WriteLedger,
  puts: readonly ((key: string, value: string) => Promise<unknown>)[],
  { signal, pause = 5 }: { readonly signal: AbortSignal; readonly pause?: number },
): Promise<void> {
  const write = async (put: (key: string, value: string) => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      const isDone = await ledger.write(put);
      await new Promise((resolve) => setTimeout(resolve, isDone ? pause : pauseAfterFailure));
    }
  };
  await Promise.all(puts.map(write));
}
