/** Keys of objects of type `T` by what they are found by. */
export class KeyIndex<T> {
  readonly name: string;
  readonly #keysOf: (object: T) => readonly string[];
  readonly #entries = new Map<string, Set<string>>();

  constructor(name: string, keysOf: (object: T) => readonly string[]) {
    this.name = name;
    this.#keysOf = keysOf;
  }

  /** The same index without objects. */
  empty(): KeyIndex<T> {
    return new KeyIndex(this.name, this.#keysOf);
  }

  /** Keys of the objects that are found by this one. */
  lookUp(by: string): Iterable<string> {
    return this.#entries.get(by) ?? [];
  }

  add(key: string, object: T): void {
    for (const by of this.#keysOf(object)) {
      const found = this.#entries.get(by);
      if (found === undefined) this.#entries.set(by, new Set([key]));
      else found.add(key);
    }
  }

  remove(key: string, object: T): void {
    for (const by of this.#keysOf(object)) {
      const found = this.#entries.get(by);
      found?.delete(key);
      if (found?.size === 0) this.#entries.delete(by);
    }
  }
}
