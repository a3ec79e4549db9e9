import type { ControllerClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import { isAbort } from '../../net/index.ts';
import { servePlain, type HealthChecks, type RunningServer } from '../http/index.ts';
import { serveMetrics } from '../metrics/index.ts';
import type { ManagerSettings } from './manager-settings.ts';

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

/** The ports that the servers of a manager listen on. */
export interface Ports {
  health?: number;
  metrics?: number;
  webhooks?: number;
}

/**
 * Starts the HTTP servers of a manager.
 *
 * @param servers gets each that has started, also if a later one fails
 * @throws OpSdkError `runtime/cannot-listen`
 */
export async function serve(
  { health, metrics, cluster }: Pick<ManagerSettings, 'health' | 'metrics' | 'cluster'>,
  checks: HealthChecks,
  { servers, ports, log }: { readonly servers: RunningServer[]; readonly ports: Ports; readonly log: Logger },
): Promise<void> {
  const report = (error: Error): void => log.error({ error }, 'Cannot accept a connection');
  if (health !== undefined) {
    const purpose = { name: 'health probes', flag: '--health-probe-bind-address' };
    const server = await servePlain(purpose, health, checks.answer, report);
    servers.push(server);
    ports.health = server.port;
  }
  if (metrics !== undefined) {
    const { connection } = cluster;
    const server = await serveMetrics({ settings: metrics, connection, log, report });
    servers.push(server);
    ports.metrics = server.port;
  }
  log.info(ports, 'Serving');
}
