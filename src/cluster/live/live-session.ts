import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { createRestMapper, type KubeClient } from '../../sdk/kube/index.ts';
import { toError } from '../../sdk/net/index.ts';
import type { TestNodes } from '../../testing/index.ts';
import { readLog } from '../rollout/describe-pods.ts';
import { EventLog, type EventRow } from './event-log.ts';
import { FeedServer, type OperatorSettings } from './feed/feed-server.ts';
import type { FeedController, FeedMessage, FeedRefusal, FeedRun } from './feed/messages.ts';
import { followedKinds, workloadNames } from './followed-kinds.ts';
import { LiveObjects, type ObjectDetails } from './objects/live-objects.ts';
import type { ObjectRow } from './objects/object-row.ts';
import { WorkloadControls } from './workload-controls.ts';

/** A message to a page. Fields that have not changed since the last message are left out. */
export interface LiveNews {
  readonly project?: string;
  /** True if an operator runs. */
  readonly running?: boolean;
  readonly controllers?: readonly FeedController[];
  /** Number of objects in the queue of each controller that are ready to be reconciled, by name of the controller. */
  readonly depths?: Readonly<Record<string, number>>;
  /** Reconciles that have ended, the oldest first. */
  readonly runs?: readonly FeedRun[];
  /** Number of runs that were dropped, because more runs arrived than the page can show. */
  readonly dropped?: number;
  readonly events?: readonly EventRow[];
  readonly refusals?: readonly RefusalRow[];
  readonly objects?: readonly ObjectRow[];
  /** Ids of objects that were deleted or are no longer shown. */
  readonly gone?: readonly string[];
  /** Kinds that the user of `op-sdk dev` may not list. */
  readonly forbidden?: readonly string[];
}

/** Callback that sends a message to one open page. */
type Audience = (news: LiveNews) => void;

/** Minimum time between two messages to a page, in milliseconds. */
const interval = 100;

/**
 * Delay in milliseconds between the closing of the last page and the stop of all watches. A page that is reloaded reconnects within this
 * time, so that the watches continue.
 */
const lookAway = 3_000;

/** Lines at the end of a container's log that the page shows. */
const logLines = 200;

/** Maximum number of kinds that are followed only because objects of them own Pods. */
const mostOwners = 30;

/** The end of a container's log, or the reason for which it cannot be read. */
export type LogAnswer = { readonly text: string } | { readonly problem: string };

/** Maximum number of past runs that are kept for pages that are opened later. */
const keptRuns = 1_000;

/** Sends the events of an operator and its cluster to the open pages. While no page is open, nothing is watched and nothing is sent. */
export class LiveSession {
  readonly #project: string;
  readonly #client: KubeClient;
  readonly #feed: FeedServer;
  readonly #controls: WorkloadControls | undefined;
  readonly #objects: LiveObjects;
  readonly #events: EventLog;
  readonly #refusals = new RefusalLog();
  readonly #audience = new Set<Audience>();
  readonly #forbidden = new Set<string>();
  #custom: readonly Resource<KubeObject>[] = [];
  /**
   * Kinds of owners of Pods that are defined neither by the project nor by Kubernetes, as returned by discovery; undefined for unknown
   * kinds.
   */
  readonly #owners = new Map<string, Resource<KubeObject> | undefined>();
  #running = false;
  #controllers: readonly FeedController[] = [];
  #depths: Readonly<Record<string, number>> = {};
  #runs: readonly FeedRun[] = [];
  #pending: LiveNews = {};
  #timer: NodeJS.Timeout | undefined;
  #away: NodeJS.Timeout | undefined;
  #following: Promise<void> = Promise.resolve();
  #looking = false;

  private constructor(
    project: string,
    client: KubeClient,
    feed: FeedServer,
    workloads: TestNodes | undefined,
  ) {
    this.#project = project;
    this.#client = client;
    this.#feed = feed;
    this.#controls = workloads && new WorkloadControls(workloads);
    const { connection } = client;
    const soon = (): void => this.#soon();
    const onForbidden = (kind: string): void => {
      this.#forbidden.add(kind);
      this.#tell({ forbidden: [...this.#forbidden] });
    };
    this.#objects = new LiveObjects({ connection, onNews: soon, onForbidden, controls: this.#controls });
    this.#events = new EventLog(connection, soon, onForbidden);
  }

  /**
   * Opens a session. The caller must `close` it in the end.
   * @param workloads nodes of the control plane, which the page may then make fail. Default: the page changes nothing
   */
  static async open(project: string, client: KubeClient, workloads?: TestNodes): Promise<LiveSession> {
    const feed = await FeedServer.open();
    const session = new LiveSession(project, client, feed, workloads);
    feed.listen({
      onMessage: (message) => session.#onMessage(message),
      onOperator: (running) => session.#onOperator(running),
    });
    return session;
  }

  /** Node flags and environment variables with which an operator reports to this session. Start the operator's Node process with them. */
  get operatorSettings(): OperatorSettings {
    return this.#feed.operatorSettings;
  }

  /** Sets the custom kinds of the project, whose objects are followed. Call it again when the definitions of these kinds have changed. */
  follow(kinds: readonly Resource<KubeObject>[]): void {
    this.#custom = kinds;
    if (this.#looking) this.#followAll();
  }

  /** Adds a page, which gets the current state first, and then all changes. @returns a function to call when the page is closed */
  join(audience: Audience): () => void {
    this.#audience.add(audience);
    clearTimeout(this.#away);
    if (!this.#looking) {
      this.#looking = true;
      this.#feed.look(true);
      this.#followAll();
    }
    audience(this.#everything());
    return () => {
      this.#audience.delete(audience);
      if (this.#audience.size > 0) return;
      this.#away = setTimeout(() => void this.#lookAway(), lookAway);
      this.#away.unref();
    };
  }

  details(id: string): ObjectDetails | undefined {
    return this.#objects.details(id);
  }

  /** Returns the end of the log of a container of a Pod that the page shows; undefined for other objects and containers. */
  async log(id: string, container: string, previous: boolean): Promise<LogAnswer | undefined> {
    const pod = this.#objects.find(id);
    if (pod === undefined || this.details(id)?.containers?.includes(container) !== true) return undefined;
    try {
      const text = await readLog(this.#client, pod.metadata, { container, previous, tailLines: logLines });
      return { text };
    } catch (error) {
      return { problem: toError(error).message };
    }
  }

  /**
   * Runs an action on an object of the page, see {@link WorkloadControls.run}.
   * @returns undefined if the page shows no such object; false if it has no such action, as on clusters that op-sdk has not started
   */
  act(id: string, action: string, pressed: boolean): boolean | undefined {
    const object = this.#objects.find(id);
    if (object === undefined) return undefined;
    const done = this.#controls?.run(object, action, pressed) ?? false;
    if (done) this.#objects.touch(id);
    return done;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    clearTimeout(this.#away);
    this.#audience.clear();
    await this.#following;
    await Promise.all([this.#objects.stop(), this.#events.stop(), this.#feed.close()]);
  }

  async #lookAway(): Promise<void> {
    this.#looking = false;
    this.#feed.look(false);
    await this.#following;
    await Promise.all([this.#objects.stop(), this.#events.stop()]);
  }

  #everything(): LiveNews {
    return {
      project: this.#project,
      running: this.#running,
      controllers: this.#controllers,
      depths: this.#depths,
      runs: this.#runs,
      events: this.#events.rows,
      refusals: this.#refusals.rows,
      objects: this.#objects.rows(),
      forbidden: [...this.#forbidden],
    };
  }

  #onOperator(running: boolean): void {
    this.#running = running;
    // The next operator starts with empty queues.
    if (!running) this.#depths = {};
    this.#tell({ running, depths: this.#depths });
  }

  #onMessage({ controllers, depths, runs = [], dropped, refusals = [] }: FeedMessage): void {
    if (controllers !== undefined && !isDeepStrictEqual(controllers, this.#controllers)) {
      this.#controllers = controllers;
      if (this.#looking) this.#followAll();
    }
    if (depths !== undefined) this.#depths = { ...this.#depths, ...depths };
    this.#runs = [...this.#runs, ...runs].slice(-keptRuns);
    this.#tell({
      ...(controllers === undefined ? {} : { controllers }),
      ...(depths === undefined ? {} : { depths: this.#depths }),
      ...(runs.length === 0 ? {} : { runs: [...(this.#pending.runs ?? []), ...runs] }),
      ...(dropped === undefined ? {} : { dropped: (this.#pending.dropped ?? 0) + dropped }),
      ...(refusals.length === 0 ? {} : this.#noteRefusals(refusals)),
    });
  }

  #noteRefusals(refusals: readonly FeedRefusal[]): LiveNews {
    for (const refusal of refusals) this.#refusals.add(refusal);
    return { refusals: this.#refusals.rows };
  }

  #followAll(): void {
    const owners = [...this.#owners.values()].filter((resource) => resource !== undefined);
    const { kinds, names } = followedKinds(this.#custom, this.#controllers, owners);
    // On a cluster that this process has not started, most Pods, nodes and their Events have nothing to do with the operator.
    const events = this.#controls === undefined ? names : new Set([...names, ...workloadNames]);
    this.#following = this.#following.then(async () => {
      if (!this.#looking) return;
      await this.#objects.follow(kinds);
      await this.#events.follow(events);
    });
  }

  /** Follows the kinds of owners of Pods that are defined neither by the project nor by Kubernetes. */
  async #followOwners(): Promise<void> {
    const unknown = [...this.#objects.unknownOwners].filter((owner) => !this.#owners.has(owner));
    if (unknown.length === 0 || this.#owners.size >= mostOwners) return;
    for (const owner of unknown) this.#owners.set(owner, undefined);
    const mapper = createRestMapper(this.#client.connection);
    try {
      for (const owner of unknown) {
        const [apiVersion = '', kind = ''] = owner.split(' ');
        const found = await mapper.find(apiVersion, kind);
        if (found?.verbs.includes('watch') === true) this.#owners.set(owner, found.resource);
      }
    } catch {
      // Discovery failed. The next change of an object asks again.
      for (const owner of unknown) this.#owners.delete(owner);
    }
    if (unknown.some((owner) => this.#owners.get(owner) !== undefined)) this.#followAll();
  }

  #tell(news: LiveNews): void {
    this.#pending = { ...this.#pending, ...news };
    this.#soon();
  }

  #soon(): void {
    if (this.#audience.size === 0) {
      this.#pending = {};
      return;
    }
    this.#timer ??= setTimeout(() => this.#flush(), interval);
  }

  #flush(): void {
    this.#timer = undefined;
    const { rows, gone } = this.#objects.takeNews();
    void this.#followOwners();
    const news: LiveNews = {
      ...this.#pending,
      ...(rows.length === 0 ? {} : { objects: rows }),
      ...(gone.length === 0 ? {} : { gone }),
      ...(this.#events.takeNews() ? { events: this.#events.rows } : {}),
    };
    this.#pending = {};
    if (Object.keys(news).length > 0) for (const audience of this.#audience) audience(news);
  }
}

/** Requests that the API server refused with the same message, as one row. */
interface RefusalRow {
  readonly message: string;
  /** Suggestions for a fix, such as the missing RBAC rule. */
  readonly fix: readonly string[];
  /** Time of the last of these requests, in milliseconds since 1970. */
  readonly last: number;
  readonly count: number;
}

/** Maximum number of different messages of refused requests that a page shows. */
const most = 100;

class RefusalLog {
  readonly #rows = new Map<string, RefusalRow>();

  /** Refusals in the order of their last occurrence, the latest one at the end. */
  get rows(): readonly RefusalRow[] {
    return [...this.#rows.values()];
  }

  add({ message, fix, time }: FeedRefusal): void {
    const count = (this.#rows.get(message)?.count ?? 0) + 1;
    this.#rows.delete(message);
    this.#rows.set(message, { message, fix, last: time, count });
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > most && oldest !== undefined) this.#rows.delete(oldest);
  }
}
