import { isDeepStrictEqual } from 'node:util';
import { type KubeObject, type Resource, externalResource } from '../../sdk/api/index.ts';
import type { Connection } from '../../sdk/kube/index.ts';
import { pageFiles, PageServer, type PageAnswer } from '../../base/pages/index.ts';
import { EventLog, type EventRow } from './event-log.ts';
import { FeedServer, type OperatorSettings } from './feed/feed-server.ts';
import type { FeedController, FeedKind, FeedMessage, FeedRefusal, FeedRun } from './feed/messages.ts';
import {
  LiveObjects,
  type FollowedKind,
  type ObjectDetails,
  type ObjectRow,
} from './objects/live-objects.ts';

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
  /** The ids of objects that are gone. */
  readonly gone?: readonly string[];
  /** Kinds that the user of `op-sdk dev` may not list. */
  readonly forbidden?: readonly string[];
}

/** Callback that sends a message to one open page. */
type Audience = (news: LiveNews) => void;

/** Minimum time between two messages to a page, in milliseconds. */
const interval = 100;

/**
 * Time in milliseconds from the closing of the last page until all watches are stopped. A page that is reloaded reconnects within this
 * time, so its watches continue.
 */
const lookAway = 3_000;

/** Maximum number of past runs that are kept for pages that are opened later. */
const keptRuns = 1_000;

/** Sends the events of an operator and its cluster to the open pages. While no page is open, nothing is watched and nothing is sent. */
export class LiveSession {
  readonly #project: string;
  readonly #feed: FeedServer;
  readonly #objects: LiveObjects;
  readonly #events: EventLog;
  readonly #refusals = new RefusalLog();
  readonly #audience = new Set<Audience>();
  readonly #forbidden = new Set<string>();
  #custom: readonly Resource<KubeObject>[] = [];
  #running = false;
  #controllers: readonly FeedController[] = [];
  #depths: Readonly<Record<string, number>> = {};
  #runs: readonly FeedRun[] = [];
  #pending: LiveNews = {};
  #timer: NodeJS.Timeout | undefined;
  #away: NodeJS.Timeout | undefined;
  #following: Promise<void> = Promise.resolve();
  #looking = false;

  private constructor(project: string, connection: Connection, feed: FeedServer) {
    this.#project = project;
    this.#feed = feed;
    const soon = (): void => this.#soon();
    const onForbidden = (kind: string): void => {
      this.#forbidden.add(kind);
      this.#tell({ forbidden: [...this.#forbidden] });
    };
    this.#objects = new LiveObjects(connection, soon, onForbidden);
    this.#events = new EventLog(connection, soon, onForbidden);
  }

  /** Opens a session. The caller must `close` it in the end. */
  static async open(project: string, connection: Connection): Promise<LiveSession> {
    const feed = await FeedServer.open();
    const session = new LiveSession(project, connection, feed);
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
    const kinds = this.#kinds();
    const names = new Set(kinds.map(({ resource }) => resource.kind));
    this.#following = this.#following.then(async () => {
      if (!this.#looking) return;
      await this.#objects.follow(kinds);
      await this.#events.follow(names);
    });
  }

  /**
   * Returns the kinds to follow: the project's own kinds, the kinds that its controllers reconcile, and the kinds that these controllers
   * own. For an owned kind, only objects whose owner is of a reconciled kind are followed.
   */
  #kinds(): readonly FollowedKind[] {
    const known = new Map<string, FollowedKind>();
    const add = (resource: Resource<KubeObject>, concerns?: FollowedKind['concerns']): void => {
      const key = `${resource.apiVersion} ${resource.kind}`;
      if (!known.has(key)) known.set(key, { resource, ...(concerns === undefined ? {} : { concerns }) });
    };
    for (const resource of this.#custom) add(resource);
    const reconciled = this.#controllers.map((controller) => controller.for);
    for (const kind of reconciled) add(resourceOf(kind));
    for (const { owns } of this.#controllers)
      for (const kind of owns) add(resourceOf(kind), ownedBySome(reconciled));
    return [...known.values()];
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

function resourceOf({ namespaced, ...kind }: FeedKind): Resource<KubeObject> {
  return externalResource({ ...kind, scope: namespaced ? 'Namespaced' : 'Cluster' });
}

/**
 * Returns a predicate that is true for objects that are owned by an object of one of the given kinds, in any version. For example,
 * Deployments of other operators or users are thus not shown on the page.
 */
function ownedBySome(kinds: readonly FeedKind[]): (object: KubeObject) => boolean {
  const owners = new Set(kinds.map(({ group, kind }) => `${group} ${kind}`));
  return ({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ apiVersion, kind }) => {
      const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
      return owners.has(`${group} ${kind}`);
    });
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

/** Serves the page of a session. The caller must `close` the returned server in the end. */
export async function serveLive(session: LiveSession): Promise<PageServer> {
  const files = await pageFiles('live');
  return PageServer.open({
    answer: ({ path, query }): PageAnswer | undefined => {
      if (path === 'stream') return { stream: (stream) => session.join((news) => stream.send(news)) };
      if (path !== 'object') return files.get(path);
      const details = session.details(query.get('id') ?? '');
      return details && { type: 'application/json', body: JSON.stringify(details) };
    },
  });
}
