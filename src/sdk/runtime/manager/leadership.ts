import type { Logger } from '../create-logger.ts';
import type { Election } from '../election/index.ts';
import { eventSource, recorderFor, type EventWriter } from '../events/index.ts';

/** Decides if this process may do the work of the leader: always, without an election. */
export class Leadership {
  /** Resolves when this process leads; never, if it stops before. */
  readonly elected: Promise<void>;
  readonly #election: Election | undefined;
  readonly #lost = new AbortController();
  #resolveElected: () => void = () => undefined;

  constructor(election: Election | undefined) {
    this.#election = election;
    this.elected = new Promise((resolve) => (this.#resolveElected = resolve));
  }

  /** Aborted when the lead is lost, with the error: writes have been stopped already. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Waits until this process leads.
   *
   * @returns false if the signal aborted first
   * @throws OpSdkError `runtime/election-refused`
   */
  async begin(signal: AbortSignal): Promise<boolean> {
    const leads = (await this.#election?.elector.acquire(signal, (error) => this.#lost.abort(error))) ?? true;
    if (!leads || signal.aborted) return false;
    this.#resolveElected();
    return true;
  }

  /** Says in an Event about the Lease who leads now, as client-go does. */
  announce(events: EventWriter, manager: string, log: Logger): void {
    const { lease, identity = '' } = this.#election?.elector ?? {};
    if (lease === undefined) return;
    const recorder = recorderFor(events, eventSource(manager, 'leader-election', log), lease);
    recorder.normal('LeaderElection', `${identity} became leader`, { action: 'Elect' });
  }

  /** When all work of the leader has ended: lets another process lead. Never rejects. */
  async release(): Promise<void> {
    await this.#election?.elector.release();
  }

  /** Ends the election without a release. */
  async stop(): Promise<void> {
    await this.#election?.elector.stop();
  }

  /** `stop`, and closes the connection of the election. */
  async close(): Promise<void> {
    await this.stop();
    await this.#election?.close();
  }
}
