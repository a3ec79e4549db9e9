import { setTimeout as sleep } from 'node:timers/promises';

interface Gate {
  /** Settles when the last fault that has entered has left. */
  free: Promise<void>;
  /** Containers that were hit by it, by their IDs: as long as one of them runs, nothing has happened yet. */
  hit: ReadonlySet<string>;
}

interface HealthGateOptions {
  /** Returns the IDs of the containers of a group that run. */
  readonly running: (group: string) => Promise<readonly string[]>;
  /** Rejects as long as a group is not in order. */
  readonly expectHealthy: (group: string) => Promise<unknown>;
}

/** Lets one fault at a time into a group of Pods that would lose data by two: the next one waits until the group is in order again. */
export class HealthGate {
  readonly #options: HealthGateOptions;
  readonly #gates = new Map<string, Gate>();

  constructor(options: HealthGateOptions) {
    this.#options = options;
  }

  /**
   * Waits until all groups are in order, and keeps other faults from them.
   * @returns a function to call when the fault is over, with the containers that it has hit; undefined if the signal was aborted before
   */
  async enter(
    groups: readonly string[],
    signal: AbortSignal,
  ): Promise<((hit: readonly string[]) => void) | undefined> {
    const leaves: ((hit: readonly string[]) => void)[] = [];
    // In one order, so that two faults never wait for each other.
    for (const group of [...groups].sort()) leaves.push(await this.#enterOne(group, signal));
    if (!signal.aborted) return (hit) => leaves.forEach((leave) => leave(hit));
    for (const leave of leaves) leave([]);
    return undefined;
  }

  async #enterOne(group: string, signal: AbortSignal): Promise<(hit: readonly string[]) => void> {
    const gate = this.#gates.get(group) ?? { free: Promise.resolve(), hit: new Set() };
    this.#gates.set(group, gate);
    const before = gate.free;
    let free = (): void => undefined;
    gate.free = new Promise((resolve) => (free = resolve));
    await before;
    while (!signal.aborted && !(await this.#isHealthy(group, gate))) await sleep(200);
    return (hit) => {
      if (hit.length > 0) gate.hit = new Set(hit);
      free();
    };
  }

  async #isHealthy(group: string, { hit }: Gate): Promise<boolean> {
    try {
      if ((await this.#options.running(group)).some((id) => hit.has(id))) return false;
      await this.#options.expectHealthy(group);
      return true;
    } catch {
      // The API server or a node is away.
      return false;
    }
  }
}
