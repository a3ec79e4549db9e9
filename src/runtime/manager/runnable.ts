import type { ControllerClient } from '../client/index.ts';
import type { Logger } from '../log/index.ts';

export interface RunnableContext {
  readonly client: ControllerClient;
  readonly log: Logger;
  /** Aborted when the operator stops: end then, within the time for a graceful shutdown. */
  readonly signal: AbortSignal;
}

/** Work of an operator beside its controllers. Started when the caches are synced; what it throws stops the operator. */
export interface Runnable {
  /** In logs and errors. */
  readonly name: string;
  run(context: RunnableContext): Promise<void>;
}
