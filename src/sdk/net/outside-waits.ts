/** Milliseconds after which a wait for an external system is logged. */
const slowAfter = 5_000;
/**
 * Milliseconds after which a wait for an external system is reported in probes. Less than for logs, because a report in a probe causes no
 * noise.
 */
const namedAfter = 1_000;

/** A wait for an external system, which is reported in logs and probes if it takes long. */
export interface OutsideWait {
  /** Sets the subject (the external system) of the next part of the wait. */
  rename(subject: string): void;
  /** @param isDone true: the awaited result arrived; false: the wait was aborted */
  end(isDone: boolean): void;
}

export interface SlowWait {
  readonly subject: string;
  readonly seconds: number;
}

/**
 * Receives slow waits: `slow` is called once for a subject that has not answered for 5 seconds, `answered` when that subject has answered.
 */
interface SlowWaitListener {
  slow(wait: SlowWait): void;
  answered(subject: string): void;
}

interface Running {
  subject: string;
  since: number;
  timer: NodeJS.Timeout;
}

/** The waits of this process for external systems: credential plugins, token files, name servers, connections, identity providers. */
class OutsideWaits {
  readonly #running = new Set<Running>();
  readonly #reported = new Set<string>();
  readonly #listeners = new Set<SlowWaitListener>();

  begin(subject: string): OutsideWait {
    const arm = (): NodeJS.Timeout => setTimeout(() => this.#report(running), slowAfter).unref();
    const running: Running = { subject, since: performance.now(), timer: arm() };
    this.#running.add(running);
    return {
      rename: (next) => {
        if (next === running.subject) return;
        clearTimeout(running.timer);
        this.#answered(running.subject);
        running.subject = next;
        running.since = performance.now();
        running.timer = arm();
      },
      end: (isDone) => {
        clearTimeout(running.timer);
        if (!this.#running.delete(running)) return;
        if (isDone) this.#answered(running.subject);
      },
    };
  }

  /** Returns the waits that have lasted for at least a second, the oldest first. */
  pending(): readonly SlowWait[] {
    const now = performance.now();
    const found = [...this.#running].filter(({ since }) => now - since >= namedAfter);
    const subjects = new Map<string, SlowWait>();
    for (const { subject, since } of found.sort((a, b) => a.since - b.since))
      if (!subjects.has(subject)) subjects.set(subject, { subject, seconds: secondsOf(now - since) });
    return [...subjects.values()];
  }

  /** @returns a function that removes the listener */
  listen(listener: SlowWaitListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #report({ subject, since }: Running): void {
    if (this.#reported.has(subject)) return;
    this.#reported.add(subject);
    const wait = { subject, seconds: secondsOf(performance.now() - since) };
    for (const listener of this.#listeners) listener.slow(wait);
  }

  #answered(subject: string): void {
    if (!this.#reported.delete(subject)) return;
    for (const listener of this.#listeners) listener.answered(subject);
  }
}

function secondsOf(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}

export const outsideWaits = new OutsideWaits();
