import { externalResource, type KubeObject, type Resource } from '../../sdk/api/index.ts';
import { messageOf, OpSdkError } from '../../base/errors/index.ts';
import {
  ApiError,
  connectThrough,
  noCredentials,
  type Cluster,
  type Connection,
  type ObjectKey,
  keyText,
} from '../../sdk/kube/index.ts';
import {
  createLogger,
  durationMs,
  type CachedKind,
  type Controller,
  type ControllerClient,
  type DurationLike,
  type Logger,
  type ReconcileResult,
} from '../../sdk/runtime/index.ts';
import { TestOperator, checkController, VirtualClock } from './test-operator.ts';
import { Interceptors, toTestRequest } from './interceptors.ts';
import { objectOf, type Json, type JsonObject } from '../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../base/util/json-map.ts';
import type { KindRegistry, ServedKind } from './kinds/served-kind.ts';
import { Server } from './server.ts';
import { ServerTransport } from './server-transport.ts';
import type {
  InterceptAnswer,
  InterceptMatch,
  TestApi,
  TestApiOptions,
  TestEvent,
  TestRequest,
} from './types.ts';

/** Maximum real time in milliseconds that a reconcile may wait for something outside the test API. After that, virtual time continues. */
const patience = 250;
/** Maximum number of reconciles of one object while virtual time does not advance. */
const mostRuns = 200;
/**
 * Number of consecutive turns of the event loop without activity after which the API counts as idle. Several are needed, because pending
 * work may resume only in a later turn.
 */
const calmTurns = 6;

export class InMemoryTestApi implements TestApi {
  readonly requests: TestRequest[] = [];
  readonly #options: TestApiOptions;
  readonly #registry: KindRegistry;
  readonly #clock = new VirtualClock(Math.floor(Date.now() / 1000) * 1000);
  readonly #server: Server;
  readonly #interceptors = new Interceptors();
  readonly #transports: readonly [test: ServerTransport, operator: ServerTransport];
  readonly #connections: readonly [test: Connection, operator: Connection];
  readonly #log: Logger;
  readonly #test: TestOperator;
  /** Runs all controllers that the test has added. */
  readonly #operator: TestOperator;
  /** Operators that each run one controller that the test has not added. */
  readonly #others = new Map<Controller, TestOperator>();
  /** Errors of the latest runs, by controller and object; a run that succeeds removes its entry. */
  readonly #failures = new Map<string, unknown>();
  readonly #runs = new Map<string, number>();
  /** Kinds about whose missing rules a warning was logged. */
  readonly #warned = new Set<ServedKind>();
  #defect: unknown;

  constructor(options: TestApiOptions, registry: KindRegistry) {
    this.#options = options;
    this.#registry = registry;
    const clock = this.#clock;
    this.#server = new Server({
      kinds: registry,
      clock,
      onNoDefaults: (kind) => this.#reportNoDefaults(kind),
    });
    this.#log = options.log ?? createLogger({ level: 'fatal', destination: { write: () => undefined } });
    const onDefect = (error: unknown): void => {
      if (error instanceof OpSdkError && ['testapi/unsupported', 'testapi/no-defaults'].includes(error.code))
        this.#defect ??= error;
    };
    const operator = new ServerTransport(this.#server, {
      onDefect,
      onRequest: async (request) => {
        const seen = toTestRequest(request);
        if (seen.verb !== 'watch') this.requests.push(seen);
        return this.#interceptors.answer(seen);
      },
    });
    this.#transports = [new ServerTransport(this.#server), operator];
    const name = options.name ?? 'test-operator';
    this.#connections = [this.#connect(this.#transports[0], 'test'), this.#connect(operator, name)];
    // The test's operator has no controllers, so the cache options do not apply to it.
    this.#test = this.#newOperator('test', this.#connections[0], undefined);
    this.#operator = this.#newOperator(name, this.#connections[1], options.cache);
  }

  get client(): ControllerClient {
    return this.#test.client;
  }

  get now(): Date {
    return this.#clock.today();
  }

  get events(): readonly TestEvent[] {
    return this.#server.store
      .list('events.k8s.io/events')
      .map(([, event]) => toTestEvent(event))
      .sort((left, right) => left.time - right.time)
      .map(({ event }) => event);
  }

  /**
   * Creates the initial objects, and fills the cache of the test.
   * @throws OpSdkError `testapi/invalid-object`
   */
  async start(): Promise<void> {
    const namespaces = this.#server.kinds.atPath('v1', 'namespaces');
    if (namespaces !== undefined)
      this.#server.answer({
        verb: 'create',
        kind: namespaces,
        subresource: undefined,
        namespace: '',
        name: '',
        query: new URLSearchParams(),
        headers: { accept: 'application/json', 'user-agent': 'kube-apiserver' },
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
        contentType: 'application/json',
      });
    for (const resource of this.#options.kinds) this.#test.declare(resource);
    await this.#seed(this.#options.objects ?? []);
    await this.#test.startCaches();
    await this.#calm();
  }

  add(controller: Controller): void {
    if (this.#operator.isStarted)
      throw new OpSdkError({
        code: 'testapi/started',
        message: `controller ${controller.name}: expected to be added before the first settle or advance`,
        fix: ['call add for all controllers first'],
      });
    checkController(controller, this.#registry);
    this.#operator.add(controller);
  }

  async reconcile(controller: Controller, key: ObjectKey | string): Promise<ReconcileResult | undefined> {
    const operator = await this.#operatorOf(controller);
    await this.#calm();
    try {
      return await operator.runOnce(controller, keyIn(controller.for, key));
    } finally {
      await this.#calm();
      this.#throwDefect();
    }
  }

  async settle({ within = '1s' }: { readonly within?: DurationLike } = {}): Promise<void> {
    await this.#runUntil(this.#clock.now() + durationMs(within));
    this.#throwFailures();
  }

  async advance(time: DurationLike): Promise<void> {
    const end = this.#clock.now() + durationMs(time);
    await this.#runUntil(end);
    this.#clock.moveTo(end);
    this.#throwFailures();
  }

  intercept(match: InterceptMatch, answer: InterceptAnswer): { readonly used: number } {
    return this.#interceptors.add(match, answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [this.#test, this.#operator, ...this.#others.values()].map((operator) => operator.stop()),
    );
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  /** Refuses an object of a kind without rules, or logs once that the object gets no defaults. */
  #reportNoDefaults(kind: ServedKind): void {
    const code = 'testapi/no-defaults';
    const message = `the test API has only the schema of ${kind.apiVersion} ${kind.kind}: its objects get no defaults and are not validated as by the API server`;
    if (this.#options.strictDefaults === true)
      throw new OpSdkError({
        code,
        message,
        fix: [
          'test it against a real API server: startControlPlane of opsdk/testing',
          'or leave out strictDefaults',
        ],
      });
    if (this.#warned.has(kind)) return;
    this.#warned.add(kind);
    if (this.#options.log === undefined) process.emitWarning(message, { type: 'OpSdkWarning', code });
    else this.#options.log.warn({ code }, message);
  }

  #connect(transport: ServerTransport, name: string): Connection {
    const clock = this.#clock;
    return connectThrough(transport, testCluster, {
      userAgent: `${name} opsdk`,
      onWarning: (warning) => this.#log.warn({ warning }, 'API server warning'),
      wait: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          const cancel = clock.after(milliseconds, resolve);
          signal?.addEventListener('abort', () => {
            cancel();
            reject(signal.reason as Error);
          });
        }),
    });
  }

  #newOperator(name: string, connection: Connection, cache: readonly CachedKind[] | undefined): TestOperator {
    const onRun = (controller: Controller, key: string, error: unknown, exists: boolean): void => {
      const id = `${controller.name}: ${controller.for.kind} ${key}`;
      // Many changes may trigger runs for a deleted object. The controller is not called for it, so such runs are not counted.
      if (exists) this.#runs.set(id, (this.#runs.get(id) ?? 0) + 1);
      if (error === undefined) this.#failures.delete(id);
      else this.#failures.set(id, error);
    };
    return new TestOperator({ name, connection, clock: this.#clock, log: this.#log, cache, onRun });
  }

  async #operatorOf(controller: Controller): Promise<TestOperator> {
    const shared = this.#operator.has(controller) ? this.#operator : this.#others.get(controller);
    if (shared !== undefined) {
      await shared.startCaches();
      return shared;
    }
    checkController(controller, this.#registry);
    const { name = 'test-operator', cache } = this.#options;
    const own = this.#newOperator(name, this.#connections[1], cache);
    own.add(controller);
    this.#others.set(controller, own);
    await own.startCaches();
    return own;
  }

  async #seed(objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const resource = this.#resourceOf(object);
      try {
        const created = await this.#test.client.create(resource, object);
        const { status } = object as { status?: unknown };
        const served = this.#registry.ofType(resource.apiVersion, resource.kind);
        if (status === undefined || served?.hasStatus !== true) continue;
        await this.#test.client.updateStatus(resource, { ...created, status } as KubeObject);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { namespace, name = '' } = object.metadata;
        throw new OpSdkError(
          {
            code: 'testapi/invalid-object',
            message: error.summary,
            where: { object: `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}` },
            fix: ['correct the object in objects', 'put the namespaces of objects before them'],
          },
          { cause: error },
        );
      }
    }
  }

  #resourceOf({ apiVersion, kind }: KubeObject): Resource {
    const served = this.#registry.ofType(apiVersion, kind);
    if (served === undefined)
      throw new OpSdkError({
        code: 'testapi/unknown-kind',
        message: `objects: the test API has no schema of ${apiVersion} ${kind}`,
        fix: ['name the file of its CustomResourceDefinition in crds'],
      });
    const { group, version, plural, namespaced } = served;
    return externalResource({ group, version, kind, plural, scope: namespaced ? 'Namespaced' : 'Cluster' });
  }

  /** Runs all work that is due up to `end`, a time of the virtual clock. */
  async #runUntil(end: number): Promise<void> {
    this.#runs.clear();
    if (!this.#operator.isStarted) {
      await this.#operator.startCaches();
      this.#operator.startControllers();
    }
    for (;;) {
      await this.#calm();
      this.#throwDefect();
      this.#checkProgress();
      if (this.#server.collectGarbage()) continue;
      const due = this.#clock.nextDue;
      if (due !== undefined && due <= end) {
        if (due > this.#clock.now()) this.#runs.clear();
        this.#clock.fireNext();
      } else if (this.#operator.isRunning) await sleep(1);
      else return;
    }
  }

  /** Waits until nothing is in progress, or until a running reconcile only waits for something other than this server. */
  async #calm(): Promise<void> {
    let since = performance.now();
    for (let calm = 0, turns = 0; calm < calmTurns; turns += 1) {
      if (turns % 50 === 49) await sleep(1);
      else await new Promise((resolve) => setImmediate(resolve));
      const isActive = this.#transports.some(({ isBusy }) => isBusy) || this.#operator.hasWork;
      if (isActive) since = performance.now();
      const isRunning = this.#operator.isRunning && performance.now() - since < patience;
      calm = isActive || isRunning ? 0 : calm + 1;
      if (turns > 10_000) this.#checkProgress();
    }
  }

  #checkProgress(): void {
    const [busiest] = [...this.#runs].filter(([, runs]) => runs > mostRuns);
    if (busiest === undefined) return;
    throw new OpSdkError({
      code: 'testapi/not-settled',
      message: `expected the controllers to come to rest, got ${busiest[1]} runs of ${busiest[0]}`,
      fix: [
        'look at `requests` for what each run changes',
        'write only what differs, and keep times out of the status',
      ],
    });
  }

  #throwDefect(): void {
    const defect = this.#defect;
    this.#defect = undefined;
    if (defect !== undefined) throw defect as Error;
  }

  #throwFailures(): void {
    this.#throwDefect();
    if (this.#failures.size === 0) return;
    const failures = [...this.#failures];
    const [first] = failures;
    throw new OpSdkError(
      failures.map(([id, error]) => ({
        code: 'testapi/reconcile-failed' as const,
        message: `${id}: ${messageOf(error)}`,
      })),
      { cause: first?.[1] },
    );
  }
}

const testCluster: Cluster = {
  server: new URL('https://test-api.invalid'),
  namespace: 'default',
  credentials: noCredentials,
  tls: () => Promise.resolve({}),
  source: 'the test API',
};

function keyIn({ namespaced }: Resource, key: ObjectKey | string): string {
  if (typeof key !== 'string') return keyText(key);
  return namespaced && !key.includes('/') ? `default/${key}` : key;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function toTestEvent(object: JsonObject): { readonly time: number; readonly event: TestEvent } {
  const regarding = objectOf(object['regarding']);
  const series: Json | undefined = object['series'];
  const { namespace } = regarding;
  return {
    time: Date.parse(jsonTextOf(object['eventTime'])),
    event: {
      type: object['type'] === 'Warning' ? 'Warning' : 'Normal',
      reason: jsonTextOf(object['reason']),
      note: jsonTextOf(object['note']),
      count: Number(objectOf(series)['count'] ?? 1),
      regarding: {
        kind: jsonTextOf(regarding['kind']),
        name: jsonTextOf(regarding['name']),
        ...(typeof namespace === 'string' ? { namespace } : {}),
      },
    },
  };
}
