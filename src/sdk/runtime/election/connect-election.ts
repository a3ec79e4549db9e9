import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  ApiClient,
  openConnection,
  type Cluster,
  type Connection,
  type Client,
  isAlreadyExists,
  isConflict,
  isNotFound,
} from '../../kube/index.ts';
import { systemClock, onAbort, pause, type Clock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import { diagnostics } from '../diagnostics.ts';
import { electionMetrics, observeRequest, type ElectionMetrics } from '../metrics/index.ts';
import { type ElectionSettings, RETRY_JITTER } from './election-settings.ts';
import { Fence } from './fence.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf, OpSdkError } from '../../../base/errors/index.ts';
import { Lease } from '../../k8s/generated/coordination/v1.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import { releaseLease, heldBy, ObservedLease, withoutManagers, refusedLease } from './lease.ts';

interface ConnectElectionOptions {
  readonly settings: ElectionSettings;
  readonly cluster: Cluster;
  /** Connection for the requests of the manager that require the lead. */
  readonly connection: Connection;
  /** The manager's name. */
  readonly name: string;
  readonly log: Logger;
}

/** Leader election of a manager: only one of several replicas works. */
export interface Election {
  readonly elector: Elector;
  /** A client whose writes are sent only while this process leads. */
  readonly client: Client;
  /** Returns a client of another cluster whose writes are also sent only while this process leads. */
  clientOf(connection: Connection): Client;
  close(): Promise<void>;
}

/** Creates an elector with a separate connection, which neither slow writes nor large lists can delay, and the client of the leader. */
export function connectElection(options: ConnectElectionOptions): Election {
  const { settings, cluster, connection, name, log } = options;
  const metrics = electionMetrics(settings.id);
  const fence = new Fence(`${settings.namespace}/${settings.id}`, systemClock, (outcome) =>
    metrics.fenced(outcome),
  );
  const own = openConnection(cluster, {
    userAgent: `${name} opsdk leader-election`,
    // The elector aborts its requests before this timeout.
    requestTimeout: settings.renewDeadline,
    observe: observeRequest,
    onRefusal: (refusal) => diagnostics.refused(refusal),
    onWarning: (warning) => log.warn({ warning }, 'API server warning'),
  });
  const elector = new Elector({
    client: new ApiClient(own, `${name}/leader-election`),
    settings,
    // Unique for each process, because two processes on one host, or a restarted process, are different candidates.
    identity: `${hostname()}_${randomUUID()}`,
    ...{ fence, metrics, log },
  });
  const clientOf = (guarded: Connection): Client => new ApiClient(fence.guard(guarded), name);
  return { elector, client: clientOf(connection), clientOf, close: () => own.close() };
}

/**
 * Milliseconds after the expiry of a lease until the health check fails, if this process may still hold the lease. Source:
 * controller-runtime `pkg/manager`.
 */
const HEALTH_TOLERANCE_MS = 20_000;

/** Milliseconds that a running try to acquire or renew the lease may continue after this process was requested to stop. */
const LAST_TRY_MS = 500;

/** Methods of a client that an elector needs. The client must not be guarded by the fence, which refuses writes before the election. */
export type LeaseClient = Pick<Client, 'find' | 'create' | 'update'>;

export interface ElectorOptions {
  readonly client: LeaseClient;
  readonly settings: ElectionSettings;
  /** Name of this candidate in the Lease, unique for each process. */
  readonly identity: string;
  readonly fence: Fence;
  readonly metrics: ElectionMetrics;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Returns the time of day that is written to the Lease; it does not affect decisions. */
  readonly today?: () => Date;
  /** Returns a random number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Result of a try. A number: the time at which the request that acquired or kept the lease was sent. `raced`: another process changed the
 * lease first. `held`: another process holds the lease.
 */
type Outcome = number | 'raced' | 'held';

/**
 * Acquires a Lease and renews it. Runs on the main event loop, so that the lease is renewed only while that loop also does the operator's
 * work. All decisions use a monotonic clock of this process. Source of the protocol: client-go `tools/leaderelection`.
 */
export class Elector {
  readonly #options: ElectorOptions;
  readonly #settings: ElectionSettings;
  readonly #clock: Clock;
  readonly #today: () => Date;
  readonly #log: Logger;
  readonly #observed: ObservedLease;
  readonly #stop = new AbortController();
  #state: 'candidate' | 'leader' | 'lost' | 'stopped' = 'candidate';
  /** The Lease as the API server last returned it. */
  #lease: Lease | undefined;
  /** True while the Lease in the API server may name this process as the holder. */
  #mayHold = false;
  /** Time at which the last successful renewal was sent. */
  #renewed = -Infinity;
  #renewing: Promise<void> = Promise.resolve();
  #cancelExpiry: () => void = () => undefined;
  #onLost: (error: Error) => void = () => undefined;
  #lastFailure: unknown;

  constructor(options: ElectorOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#clock = options.clock ?? systemClock;
    this.#today = options.today ?? (() => new Date());
    this.#log = options.log.child({ lease: this.#name });
    this.#observed = new ObservedLease(this.#clock, options.settings.leaseDuration);
  }

  get identity(): string {
    return this.#options.identity;
  }

  /** The Lease that this process holds; undefined before this process was elected. */
  get lease(): Lease | undefined {
    return this.#lease;
  }

  get #name(): string {
    return `${this.#settings.namespace}/${this.#settings.id}`;
  }

  /**
   * Waits until this process leads, and then renews the lease until `stop` or `release` is called.
   *
   * @param onLost called once if the lease is lost; at that time running writes are already aborted, and new ones cannot start
   * @returns false if the signal aborted before this process led
   * @throws OpSdkError `runtime/election-refused` if the API server has refused the Lease for the entire renew deadline
   */
  async acquire(signal: AbortSignal, onLost: (error: Error) => void): Promise<boolean> {
    const { retryPeriod, renewDeadline } = this.#settings;
    const random = this.#options.random ?? Math.random;
    this.#log.info({ identity: this.identity }, 'Waiting to become the leader');
    let refusedSince: number | undefined;
    let holder = '';
    while (!signal.aborted) {
      try {
        const outcome = await this.#try(signal);
        refusedSince = undefined;
        this.#lastFailure = undefined;
        if (typeof outcome === 'number' && this.#clock.now() < outcome + renewDeadline) {
          this.#lead(outcome, onLost);
          return true;
        }
        if (this.#observed.holder !== holder) {
          ({ holder } = this.#observed);
          if (holder !== '' && holder !== this.identity) this.#log.info({ holder }, 'Another replica leads');
        }
      } catch (error) {
        if (signal.aborted) break;
        const refusal = refusedLease(error, this.#settings);
        this.#logOnce(refusal ?? error, 'Cannot get the lease');
        if (refusal !== undefined) this.#mayHold = false;
        if (refusal === undefined) refusedSince = undefined;
        else if (this.#clock.now() - (refusedSince ??= this.#clock.now()) >= renewDeadline) throw refusal;
      }
      await pause(this.#clock, retryPeriod * (1 + random() * RETRY_JITTER), signal);
    }
    return false;
  }

  /** Ends the election without releasing the lease, so that the lease expires. New writes cannot start. */
  async stop(): Promise<void> {
    this.#end(new Error('the operator has stopped'));
    await this.#renewing;
  }

  /**
   * Ends the election and releases the lease, so that another process can acquire it immediately. Never rejects: if the release fails, the
   * lease expires.
   */
  async release(): Promise<void> {
    const mayHold = this.#mayHold && this.#state !== 'lost';
    await this.stop();
    if (!mayHold || !this.#settings.releaseOnStop) return;
    this.#mayHold = false;
    const timeout = new AbortController();
    const cancel = this.#clock.after(this.#settings.renewDeadline / 2, () =>
      timeout.abort(new Error('no answer in time')),
    );
    try {
      const { client, identity } = this.#options;
      const { id, namespace } = this.#settings;
      const isReleased = await releaseLease({
        ...{ client, identity, key: { name: id, namespace }, lease: this.#lease, today: this.#today },
        signal: timeout.signal,
      });
      if (isReleased) this.#log.info('Lease released');
    } catch (error) {
      this.#log.warn({ error }, 'Lease not released; it runs out');
    } finally {
      cancel();
    }
  }

  /** Checks the lease for `/healthz`. @throws if this process is still running 20 seconds after the expiry of a lease that it held */
  check(): void {
    if (this.#state !== 'leader' && this.#state !== 'lost') return;
    const age = this.#clock.now() - this.#renewed;
    if (age > this.#settings.leaseDuration + HEALTH_TOLERANCE_MS)
      throw new Error(`lease ${this.#name} was last renewed ${durationText(age)} ago`);
  }

  #lead(sent: number, onLost: (error: Error) => void): void {
    this.#state = 'leader';
    this.#onLost = onLost;
    this.#options.metrics.leads(true);
    this.#keep(sent);
    this.#log.info({ identity: this.identity }, 'Became the leader');
    this.#renewing = this.#renew();
  }

  /** Records that this process holds the lease, counted from the time at which the request for the lease was sent. */
  #keep(sent: number): void {
    const { fence } = this.#options;
    const deadline = sent + this.#settings.renewDeadline;
    this.#renewed = sent;
    fence.open(deadline);
    this.#cancelExpiry();
    this.#cancelExpiry = this.#clock.after(deadline - this.#clock.now(), () => void this.#expire(deadline));
  }

  async #renew(): Promise<void> {
    const { retryPeriod } = this.#settings;
    const { signal } = this.#stop;
    let wait = retryPeriod;
    for (;;) {
      await pause(this.#clock, wait, signal);
      // After the deadline the lead is lost, even if no other process holds the lease, so it is not renewed.
      if (signal.aborted || this.#clock.now() >= this.#renewed + this.#settings.renewDeadline) return;
      try {
        const outcome = await this.#try(signal);
        if (signal.aborted) return;
        if (outcome === 'held') {
          this.#lose(`${this.#observed.holder} holds it`);
          return;
        }
        if (outcome === 'raced') throw new Error('another process changed the Lease at the same time');
        this.#keep(outcome);
        if (this.#lastFailure !== undefined) this.#log.info('Lease renewed again');
        this.#lastFailure = undefined;
        wait = Math.max(0, outcome + retryPeriod - this.#clock.now());
      } catch (error) {
        if (signal.aborted) return;
        this.#logOnce(refusedLease(error, this.#settings) ?? error, 'Lease not renewed');
        // Retries the renewal more often than every retry period, to use the remaining time before the renew deadline.
        wait = retryPeriod / 4;
      }
    }
  }

  async #expire(deadline: number): Promise<void> {
    await untilRead();
    if (this.#renewed + this.#settings.renewDeadline > deadline) return;
    const cause = this.#lastFailure;
    const why = cause === undefined ? 'the event loop was blocked, or there was no answer' : messageOf(cause);
    this.#lose(`it was not renewed for ${durationText(this.#clock.now() - this.#renewed)}: ${why}`);
  }

  #lose(why: string): void {
    if (this.#state !== 'leader') return;
    const error = new OpSdkError(
      {
        code: 'runtime/leadership-lost',
        message: `lost the lease ${this.#name}: ${why}`,
        fix: [
          'let the process be restarted, as a Deployment does: it is a candidate again then',
          'if this happens often, look for a blocked event loop, or raise leaseDuration and renewDeadline',
        ],
      },
      this.#lastFailure === undefined ? undefined : { cause: this.#lastFailure },
    );
    this.#end(error, 'lost');
    this.#log.error({ error }, 'Lost the lead');
    this.#onLost(error);
  }

  #end(reason: Error, state: 'lost' | 'stopped' = 'stopped'): void {
    this.#options.fence.close(reason);
    if (this.#state !== 'lost') this.#state = state;
    this.#cancelExpiry();
    this.#options.metrics.leads(false);
    this.#stop.abort(reason);
  }

  /** Tries once to acquire or keep the lease, within half of the renew deadline; a running try may outlast the signal briefly. */
  async #try(signal: AbortSignal): Promise<Outcome> {
    const abort = new AbortController();
    let cancelLast = (): void => undefined;
    const timeout = this.#settings.renewDeadline / 2;
    const cancel = this.#clock.after(
      timeout,
      () => void untilRead().then(() => abort.abort(new Error(`no answer within ${durationText(timeout)}`))),
    );
    const stopListening = onAbort(signal, (reason) => {
      cancelLast = this.#clock.after(LAST_TRY_MS, () => abort.abort(reason));
    });
    try {
      return await this.#getOrKeep(abort.signal);
    } finally {
      cancel();
      cancelLast();
      stopListening();
    }
  }

  async #getOrKeep(signal: AbortSignal): Promise<Outcome> {
    const { client, metrics } = this.#options;
    const { id, namespace } = this.#settings;
    const leads = this.#state === 'leader';
    if (leads && this.#lease !== undefined) {
      try {
        return await this.#write(this.#lease, signal);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
        metrics.slowPath();
      }
    }
    const current = await client.find(Lease, { name: id, namespace }, { signal });
    if (current === undefined) {
      // The Lease was deleted. If another process still leads, it notices the deletion at its next renewal and creates the Lease again.
      if (!leads && this.#observed.validFor > 0) return 'held';
    } else {
      this.#observed.see(current);
      const { holder } = this.#observed;
      if (holder !== '' && holder !== this.identity && (leads || this.#observed.validFor > 0)) {
        this.#mayHold = false;
        return 'held';
      }
    }
    try {
      return await this.#write(current, signal);
    } catch (error) {
      // A 404 of an update means that the Lease was deleted after it was read. A 404 of a creation means that the namespace is missing.
      const isDeleted = current !== undefined && isNotFound(error);
      if (!isConflict(error) && !isAlreadyExists(error) && !isDeleted) throw error;
      // The faster write may come from an earlier try of this process whose response was lost.
      return 'raced';
    }
  }

  /** Writes this process into the Lease as the holder. @returns the time at which the request was sent */
  async #write(current: Lease | undefined, signal: AbortSignal): Promise<number> {
    const { client, identity } = this.#options;
    const { id, namespace, leaseDuration } = this.#settings;
    const spec = heldBy(identity, leaseDuration, current?.spec, this.#today());
    const sent = this.#clock.now();
    this.#mayHold = true;
    const written =
      current === undefined
        ? await client.create(Lease, { metadata: { name: id, namespace }, spec }, { signal })
        : await client.update(Lease, { ...withoutManagers(current), spec }, { signal });
    this.#lease = written;
    this.#observed.see(written);
    return sent;
  }

  /** Logs a failure; if it has the same message as the last one, only at the level `debug`. */
  #logOnce(error: unknown, message: string): void {
    const isKnown = this.#lastFailure !== undefined && messageOf(this.#lastFailure) === messageOf(error);
    this.#lastFailure = error;
    if (isKnown) this.#log.debug({ error }, message);
    else this.#log[this.#state === 'leader' ? 'warn' : 'error']({ error }, message);
  }
}

/** Continues after pending I/O: an answer may have arrived while the event loop was blocked, and timers run first in its next turn. */
async function untilRead(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
