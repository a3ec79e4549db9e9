import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ApiClient, openConnection, type Cluster, type Connection, type Client } from '../../kube/index.ts';
import { systemClock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import { diagnostics } from '../diagnostics.ts';
import { electionMetrics, observeRequest } from '../metrics/index.ts';
import type { ElectionSettings } from './election-settings.ts';
import { Elector } from './elector.ts';
import { Fence } from './fence.ts';

interface ConnectElectionOptions {
  readonly settings: ElectionSettings;
  readonly cluster: Cluster;
  /** Connection for the leader's work. */
  readonly connection: Connection;
  /** The manager's name. */
  readonly name: string;
  readonly log: Logger;
}

/** Leader election of a manager: lets one of several replicas work. */
export interface Election {
  readonly elector: Elector;
  /** Its writes are sent only while this process leads. */
  readonly client: Client;
  /** Such a client of another cluster. */
  clientOf(connection: Connection): Client;
  close(): Promise<void>;
}

/** An elector with a connection of its own, which neither slow writes nor a great list can delay, and the client of the leader. */
export function connectElection(options: ConnectElectionOptions): Election {
  const { settings, cluster, connection, name, log } = options;
  const metrics = electionMetrics(settings.id);
  const fence = new Fence(`${settings.namespace}/${settings.id}`, systemClock, (outcome) =>
    metrics.fenced(outcome),
  );
  const own = openConnection(cluster, {
    userAgent: `${name} opsdk leader-election`,
    // The elector gives up earlier.
    requestTimeout: settings.renewDeadline,
    observe: observeRequest,
    onRefusal: (refusal) => diagnostics.refused(refusal),
    onWarning: (warning) => log.warn({ warning }, 'API server warning'),
  });
  const elector = new Elector({
    client: new ApiClient(own, `${name}/leader-election`),
    settings,
    // Of two processes on one host, or of one that was restarted there, each is another candidate.
    identity: `${hostname()}_${randomUUID()}`,
    ...{ fence, metrics, log },
  });
  const clientOf = (guarded: Connection): Client => new ApiClient(fence.guard(guarded), name);
  return { elector, client: clientOf(connection), clientOf, close: () => own.close() };
}
