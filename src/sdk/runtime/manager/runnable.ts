import type { ControllerClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';

/** Context of a runnable. */
export interface RunnableContext {
  /** Reads the cache of the declared kinds, writes under the manager's name; with leader election only while this process leads. */
  readonly client: ControllerClient;
  /** Names the runnable in each line. */
  readonly log: Logger;
  /** Aborted when the operator stops: end then, within the time for a graceful shutdown. */
  readonly signal: AbortSignal;
}

/** Work of an operator beside its controllers. Started when the caches are synced and, with leader election, this process leads; what it throws stops the operator. */
export interface Runnable {
  /** In logs and errors. */
  readonly name: string;
  /**
   * Run only while this process leads. Default: true. False: it runs in each replica from the moment the caches are synced, and
   * its client writes at any time; what it writes must be right however many do so.
   */
  readonly needsLeaderElection?: boolean;
  /** Resolves when the work is done, at the latest soon after the signal; the operator keeps running. @throws whatever stops the operator */
  run(context: RunnableContext): Promise<void>;
}
