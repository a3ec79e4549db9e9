import type { Resource } from '../../api/index.ts';
import type { ControllerClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import { isAbort } from '../../net/index.ts';
import { servePlain, type HealthChecks, type HealthReport, type RunningServer } from '../http/index.ts';
import { serveMetrics } from '../metrics/index.ts';
import type { ManagedCluster } from './clusters.ts';
import type { ManagerSettings } from './manager-settings.ts';

/** The runnables of a manager, with their state. */
export class Runnables {
  readonly #all: Runnable[] = [];
  readonly #running = new Set<Runnable>();
  readonly #stop: AbortController;
  readonly #log: Logger;

  /** @param stop aborted by the first runnable that fails; its signal is also passed to the runnables */
  constructor(stop: AbortController, log: Logger) {
    this.#stop = stop;
    this.#log = log;
  }

  /** The names of the runnables that are running. */
  get running(): readonly string[] {
    return [...this.#running].map(({ name }) => name);
  }

  add(runnable: Runnable): void {
    this.#all.push(runnable);
  }

  /**
   * Starts either the runnables that need to lead, or all others. Returns one promise for the end of each runnable; these promises never
   * reject.
   */
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
  /**
   * Client that reads the cache of the declared kinds, and writes under the manager's name. With leader election, writes are sent only
   * while this process leads.
   */
  readonly client: ControllerClient;
  /** Logger that adds the name of the runnable to each line. */
  readonly log: Logger;
  /** Aborted when the operator stops: the runnable must then end within the time for a graceful shutdown. */
  readonly signal: AbortSignal;
}

/**
 * Work of an operator besides its controllers. It is started when the caches are synced and, with leader election, this process leads. An
 * error that it throws stops the operator.
 */
export interface Runnable {
  /** Name of the runnable in logs and errors. */
  readonly name: string;
  /**
   * Run only while this process leads. Default: true. If it is false, the runnable runs in each replica after the caches are synced, and
   * its client can write at any time. Its writes must then be correct even if several replicas make them.
   */
  readonly needsLeaderElection?: boolean;
  /**
   * Does the work. Resolves when the work is done, at the latest shortly after the signal aborts; the operator keeps running afterwards.
   * @throws errors that stop the operator
   */
  run(context: RunnableContext): Promise<void>;
}

/** The ports of the servers of a manager. */
export interface Ports {
  health?: number;
  metrics?: number;
  webhooks?: number;
}

/**
 * Starts the HTTP servers of a manager.
 *
 * @param servers array to which each started server is added, even if a later one fails to start
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

/**
 * Checks for `/readyz` that the caches of a manager are complete. Before the start, the pod is not ready while a cache is incomplete,
 * except for kinds whose objects this pod has to convert. After the start, an incomplete cache is only reported as degraded, because the
 * rest of the operator works.
 */
export function checkCaches(
  clusters: readonly ManagedCluster[],
  state: {
    readonly isRunning: boolean;
    readonly hasStarted: boolean;
    /**
     * Returns true for kinds that this pod may have to convert: the API server sends conversions only to ready pods, so the pod must not
     * wait for their caches.
     */
    readonly converts: (resource: Resource) => boolean;
  },
): HealthReport | undefined {
  const { isRunning, hasStarted, converts } = state;
  const reasons = clusters.flatMap((cluster) => cluster.missing());
  if (isRunning && clusters.every(({ cache }) => cache.started) && reasons.length === 0) return undefined;
  const needsMore = clusters.some(
    (cluster) => !cluster.cache.started || cluster.missing(converts).length > 0,
  );
  if ((hasStarted || !needsMore) && isRunning)
    return { degraded: reasons.length === 0 ? 'not started' : `not synced: ${reasons.join('; ')}` };
  throw new Error(reasons.length === 0 ? 'not started' : `not synced: ${reasons.join('; ')}`);
}
