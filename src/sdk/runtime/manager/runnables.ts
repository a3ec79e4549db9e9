import type { ControllerClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import { isAbort } from '../../net/index.ts';
import type { Runnable } from './runnable.ts';

/** The runnables of a manager, and which of them are at work. */
export class Runnables {
  readonly #all: Runnable[] = [];
  readonly #running = new Set<Runnable>();
  readonly #stop: AbortController;
  readonly #log: Logger;

  /** @param stop aborted by the first that fails, and their signal */
  constructor(stop: AbortController, log: Logger) {
    this.#stop = stop;
    this.#log = log;
  }

  /** The names of those that run now. */
  get running(): readonly string[] {
    return [...this.#running].map(({ name }) => name);
  }

  add(runnable: Runnable): void {
    this.#all.push(runnable);
  }

  /** Starts those that need to lead, or the others. Gives their ends, which never reject. */
  start(
    which: { readonly needsLeaderElection: boolean },
    client: ControllerClient,
  ): readonly Promise<void>[] {
    return this.#all
      .filter(({ needsLeaderElection = true }) => needsLeaderElection === which.needsLeaderElection)
      .map((runnable) => this.#run(runnable, client));
  }

  async #run(runnable: Runnable, client: ControllerClient): Promise<void> {
    const log = this.#log.child({ runnable: runnable.name });
    const { signal } = this.#stop;
    this.#running.add(runnable);
    try {
      await runnable.run({ client, log, signal });
    } catch (error) {
      if (!signal.aborted) this.#stop.abort(error);
      else if (!isAbort(error, signal.reason)) log.error({ error }, 'Error while stopping');
    } finally {
      this.#running.delete(runnable);
    }
  }
}
