/** Something that ends at a time of performance.now(), unless the time is moved. */
export interface Expiring {
  /** Infinity: never. */
  readonly dueAt: number;
  expire(): void;
}

/** Longest delay that setTimeout supports, milliseconds. */
const longest = 2 ** 31 - 1;

/**
 * One timer for the deadlines of many: they move with each request, the timer only to an earlier time.
 * It does not keep the process alive; what it ends has a socket that does.
 */
export class Deadlines {
  readonly #members = new Set<Expiring>();
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Infinity;

  add(member: Expiring): void {
    this.#members.add(member);
    this.moved(member);
  }

  delete(member: Expiring): void {
    this.#members.delete(member);
    if (this.#members.size === 0) this.#stop();
  }

  /** To be called when a member's time has become earlier; later is noticed by itself. */
  moved({ dueAt }: Expiring): void {
    if (dueAt >= this.#firesAt) return;
    this.#stop();
    this.#firesAt = dueAt;
    const wait = Math.min(longest, Math.max(0, Math.ceil(dueAt - performance.now())));
    this.#timer = setTimeout(() => this.#fire(), wait).unref();
  }

  #fire(): void {
    this.#stop();
    const now = performance.now();
    for (const member of [...this.#members]) if (member.dueAt <= now) member.expire();
    for (const member of this.#members) this.moved(member);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firesAt = Infinity;
  }
}
