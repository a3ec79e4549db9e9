import {
  type Cluster,
  type Connection,
  ApiClient,
  openConnection,
} from '../../../../../src/sdk/kube/index.ts';
import { systemClock } from '../../../../../src/sdk/net/index.ts';
import type { ElectionSettings } from '../../../../../src/sdk/runtime/election/index.ts';
import {
  Elector,
  type ElectorOptions,
  type LeaseClient,
} from '../../../../../src/sdk/runtime/election/connect-election.ts';
import { Fence } from '../../../../../src/sdk/runtime/election/fence.ts';
import { electionMetrics } from '../../../../../src/sdk/runtime/metrics/index.ts';
import { uniqueName } from '../../../../helpers/control-plane.ts';
import { memoryLog, type LogLine } from '../../../../unit/sdk/runtime/memory-log.ts';

/** One of those who want the lease, in this process. */
export interface Candidate extends AsyncDisposable {
  readonly elector: Elector;
  readonly fence: Fence;
  /** The result of `acquire`. */
  readonly elected: Promise<boolean>;
  /** Resolves with the error when the lease is lost. */
  readonly lost: Promise<Error>;
  readonly lines: readonly LogLine[];
  /** Ends the wait for the lease. */
  stop(): void;
}

/** Short times: a lease runs out after 3 s. */
export const short = { leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 400, releaseOnStop: true };

export interface CandidateOptions extends Partial<Omit<ElectorOptions, 'client' | 'settings'>> {
  readonly connection: Connection;
  readonly settings: ElectionSettings;
  /** Changes what the API server is asked, or answers. */
  readonly wrap?: (client: LeaseClient) => LeaseClient;
}

export function connectTo(cluster: Cluster): Connection {
  return openConnection(cluster, { requestTimeout: 5000 });
}

/** Begins to ask for the lease at once. */
export function campaign({
  connection,
  settings,
  wrap = (client) => client,
  ...more
}: CandidateOptions): Candidate {
  const { log, lines } = memoryLog();
  const metrics = electionMetrics(settings.id);
  const fence = new Fence(`${settings.namespace}/${settings.id}`, systemClock, (outcome) =>
    metrics.fenced(outcome),
  );
  const elector = new Elector({
    client: wrap(new ApiClient(connection, 'test/leader-election')),
    settings,
    identity: uniqueName('candidate'),
    ...{ fence, metrics, log },
    ...more,
  });
  const stop = new AbortController();
  let resolveLost: (error: Error) => void;
  const lost = new Promise<Error>((resolve) => (resolveLost = resolve));
  const elected = elector.acquire(stop.signal, (error) => resolveLost(error));
  elected.catch(() => undefined);
  return {
    ...{ elector, fence, elected, lost, lines },
    stop: () => stop.abort(new Error('the test asks to stop')),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the test is over'));
      await elected.catch(() => undefined);
      await elector.stop();
    },
  };
}

/** The methods of a client, which are not its own properties. */
export function methodsOf(inner: LeaseClient): LeaseClient {
  return {
    find: (...args) => inner.find(...args),
    create: (...args) => inner.create(...args),
    update: (...args) => inner.update(...args),
  };
}
