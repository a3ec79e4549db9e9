interface Entry {
  readonly key: string;
  due: number;
  /** Keys that are due at the same time leave in the order in which they came. */
  readonly order: number;
}

/**
 * Keys that wait for a time: a binary heap that knows the position of each key, so that a key is held once, however often it
 * is added, moved or removed.
 */
export class DelayedKeys {
  readonly #heap: Entry[] = [];
  readonly #places = new Map<string, number>();
  #order = 0;

  get length(): number {
    return this.#heap.length;
  }

  /** The earliest time at which a key is due. */
  get nextDue(): number | undefined {
    return this.#heap[0]?.due;
  }

  /** Adds the key, or moves it forward if it waits for a later time. */
  add(key: string, due: number): void {
    const place = this.#places.get(key);
    if (place === undefined) {
      this.#heap.push({ key, due, order: this.#order++ });
      this.#places.set(key, this.#heap.length - 1);
      this.#up(this.#heap.length - 1);
      return;
    }
    const entry = this.#at(place);
    if (due >= entry.due) return;
    entry.due = due;
    this.#up(place);
  }

  remove(key: string): void {
    const place = this.#places.get(key);
    if (place !== undefined) this.#removeAt(place);
  }

  /** Removes and gives the keys that are due at this time, earliest first. */
  takeDue(now: number): string[] {
    const due: string[] = [];
    for (let first = this.#heap[0]; first !== undefined && first.due <= now; first = this.#heap[0]) {
      due.push(first.key);
      this.#removeAt(0);
    }
    return due;
  }

  clear(): void {
    this.#heap.length = 0;
    this.#places.clear();
  }

  #removeAt(place: number): void {
    const removed = this.#at(place);
    const last = this.#heap.pop();
    this.#places.delete(removed.key);
    if (last === undefined || last === removed) return;
    this.#put(place, last);
    this.#up(place);
    this.#down(this.#places.get(last.key) ?? place);
  }

  #up(place: number): void {
    const entry = this.#at(place);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(entry, this.#at(parent))) break;
      this.#put(place, this.#at(parent));
      place = parent;
    }
    this.#put(place, entry);
  }

  #down(place: number): void {
    const entry = this.#at(place);
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#heap.length) break;
      const right = left + 1;
      const child = right < this.#heap.length && isBefore(this.#at(right), this.#at(left)) ? right : left;
      if (!isBefore(this.#at(child), entry)) break;
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

function isBefore(a: Entry, b: Entry): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
