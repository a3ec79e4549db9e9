/**
 * Entries in an order of their own, one for each key: a binary heap that knows the position of each key, so that an entry can
 * be found, moved and removed.
 */
export class KeyHeap<Entry extends { readonly key: string }> {
  readonly #heap: Entry[] = [];
  readonly #places = new Map<string, number>();
  readonly #isBefore: (a: Entry, b: Entry) => boolean;

  constructor(isBefore: (a: Entry, b: Entry) => boolean) {
    this.#isBefore = isBefore;
  }

  get length(): number {
    return this.#heap.length;
  }

  get first(): Entry | undefined {
    return this.#heap[0];
  }

  get(key: string): Entry | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#heap[place];
  }

  /** Adds an entry whose key is not in the heap. */
  add(entry: Entry): void {
    this.#heap.push(entry);
    this.#up(entry, this.#heap.length - 1);
  }

  /** Finds the place of an entry again, after its order has changed. */
  moved(entry: Entry): void {
    const place = this.#places.get(entry.key);
    if (place === undefined) return;
    this.#up(entry, place);
    this.#down(entry, this.#places.get(entry.key) ?? place);
  }

  remove(key: string): Entry | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    const removed = this.#at(place);
    const last = this.#heap.pop();
    this.#places.delete(key);
    if (last !== undefined && last !== removed) {
      this.#put(place, last);
      this.moved(last);
    }
    return removed;
  }

  /** Removes and gives the first entry. */
  shift(): Entry | undefined {
    const { first } = this;
    return first === undefined ? undefined : this.remove(first.key);
  }

  clear(): void {
    this.#heap.length = 0;
    this.#places.clear();
  }

  #up(entry: Entry, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(entry, this.#at(parent))) break;
      this.#put(place, this.#at(parent));
      place = parent;
    }
    this.#put(place, entry);
  }

  #down(entry: Entry, from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#heap.length) break;
      const right = left + 1;
      const isRight = right < this.#heap.length && this.#isBefore(this.#at(right), this.#at(left));
      const child = isRight ? right : left;
      if (!this.#isBefore(this.#at(child), entry)) break;
      this.#put(place, this.#at(child));
      place = child;
    }
    this.#put(place, entry);
  }

  #put(place: number, entry: Entry): void {
    this.#heap[place] = entry;
    this.#places.set(entry.key, place);
  }

  #at(place: number): Entry {
    const entry = this.#heap[place];
    if (entry === undefined) throw new RangeError(`no entry at ${place}`);
    return entry;
  }
}
