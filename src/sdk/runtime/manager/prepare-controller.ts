import { type Client, keyOf, keyText, type ObjectKey } from '../../kube/index.ts';
import { type Clock, systemClock, withClock } from '../../net/index.ts';
import {
  OwnWrites,
  StoreReader,
  type Cache,
  type CachedObject,
  type CachedReader,
  type KindCache,
  type ObjectEvent,
} from '../cache/index.ts';
import { CacheBackedClient } from '../client/index.ts';
import { ControllerRunner } from '../controller/controller-runner.ts';
import {
  RunObserver,
  type ClusterHandle,
  type Controller,
  type ReconcileObserver,
  type KeySource,
  type ReconcileTrigger,
} from '../controller/index.ts';
import type { Logger } from '../create-logger.ts';
import { diagnostics } from '../diagnostics.ts';
import { eventSource, recorderFor, type EventWriter } from '../events/index.ts';
import type { Resource } from '../../api/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { ownerKeys } from '../controller/predicates.ts';
import { runSource } from '../controller/watch.ts';
import { LOW_PRIORITY, type WorkQueue } from '../queue/index.ts';
import { processTurn, type Turn } from '../yielding.ts';
import { WatchMapper } from './watch-mapper.ts';

/** Environment shared by the controllers of a manager. */
interface ControllerEnvironment {
  /** The manager's name. */
  readonly name: string;
  readonly log: Logger;
  /** Cache of the manager's own cluster, which contains the objects that are reconciled. */
  readonly cache: Cache;
  /** Returns the cache of another cluster; undefined for a handle of another manager. Default: no other clusters. */
  readonly otherCache?: (cluster: ClusterHandle) => Cache | undefined;
  /** Client for writes in reconciles. */
  readonly client: Client;
  readonly events: EventWriter;
  readonly onReconcile?: ReconcileObserver | undefined;
  /** Aborts `map` functions and sources. */
  readonly stop: AbortSignal;
  /** Aborts reconciles. */
  readonly abort: AbortSignal;
  /** See `Wiring.standsBy`. */
  readonly standsBy?: boolean;
  /** Clock of the controllers. Default: the system clock. */
  readonly clock?: Clock;
  /** Record Events about objects that keep failing. Default: true. */
  readonly failureEvents?: boolean | undefined;
  /** See `ControllerRunnerOptions.onRun`. */
  readonly onRun?: (key: string, error: unknown) => void;
}

/** A controller that was added to a manager, before its start. */
export interface PreparedController {
  readonly runner: ControllerRunner;
  /** The function that `wireController` returns, which starts the sources of keys other than watched kinds. */
  readonly runSources: () => Promise<void>;
}

/** Creates the runner of a controller with its client, events and log, and declares the kinds that the controller watches. */
export function prepareController(
  controller: Controller,
  environment: ControllerEnvironment,
): PreparedController {
  const { name, log, cache, otherCache, client, events, onReconcile, stop, abort, clock, onRun } =
    environment;
  const cached = new StoreReader(cache, () => abort);
  const writes = new OwnWrites(cache);
  const fieldManager = `${name}/${controller.name}`;
  const source = eventSource(name, controller.name, log);
  diagnostics.controllerAdded(controller);
  const observe = diagnostics.reconcileObserver(onReconcile);
  const observer = observe === undefined ? undefined : new RunObserver(observe, log);
  const runner = new ControllerRunner(controller, {
    lookUp: (key) => cache.lookUp(controller.for, key),
    isAbsent: (key) => cache.isAbsent(controller.for, key),
    clientFor: (owner, requests) =>
      new CacheBackedClient({
        source: 'cache',
        cached,
        live: client,
        count: requests.count,
        writes,
        fieldManager,
        get signal() {
          return requests.signal;
        },
        owner,
      }),
    eventsFor: (object) => recorderFor(events, source, object),
    failureEvents: environment.failureEvents ?? true,
    observer,
    log,
    signal: abort,
    ...(clock === undefined ? {} : { clock }),
    ...(onRun === undefined ? {} : { onRun }),
  });
  const runSources = wireController(controller, {
    cacheOf: (cluster) => (cluster === undefined ? cache : otherCache?.(cluster)),
    queue: runner.queue,
    keeps: (key) => runner.keeps(key),
    reader: cached,
    standsBy: environment.standsBy ?? false,
    observer,
    log,
    signal: stop,
    ...(clock === undefined ? {} : { clock }),
  });
  return { runner, runSources };
}

interface Wiring {
  /**
   * Returns the cache of the given cluster, or of the manager's own cluster if the argument is undefined. Returns undefined for a cluster
   * of another manager.
   */
  cacheOf(cluster: ClusterHandle | undefined): Cache | undefined;
  readonly queue: WorkQueue;
  /** See `ControllerRunner.keeps`. Default: never. */
  readonly keeps?: (key: string) => boolean;
  /** Reader for the `map` functions of watches. */
  readonly reader: CachedReader;
  readonly log: Logger;
  /** Aborts the `map` functions of watches. */
  readonly signal: AbortSignal;
  /**
   * True: changes are dropped until the function that `wireController` returns is called; then all cached objects are treated as new.
   * Default: false.
   */
  readonly standsBy?: boolean;
  /** Records why each key was queued. */
  readonly observer?: RunObserver | undefined;
  readonly clock?: Clock;
  readonly turn?: Turn;
}

type ChangeListener = (change: ObjectEvent, priority: number | undefined) => void;

/**
 * Declares the kinds of a controller, and queues keys of its objects when objects of these kinds change.
 *
 * @returns a function that starts the sources of keys other than these kinds; its promise resolves when all sources have ended, at the
 * latest shortly after the signal aborts
 */
export function wireController(controller: Controller, wiring: Wiring): () => Promise<void> {
  const { queue, reader, log, signal, clock = systemClock, turn, observer } = wiring;
  let isActive = wiring.standsBy !== true;
  const listeners: { readonly kind: KindCache; readonly listener: ChangeListener }[] = [];
  const cacheOf = (cluster: ClusterHandle | undefined): Cache => {
    const cache = wiring.cacheOf(cluster);
    if (cache === undefined) throw unknownCluster(controller, cluster?.name);
    return cache;
  };
  const onChange = (cache: Cache, resource: Resource, listener: ChangeListener): void => {
    const kind = cache.declare(resource);
    kind.listen((change, { initial }) => {
      // While this process does not lead, changes are dropped: workers do not take keys from the queue, so it would only grow.
      if (isActive) listener(change, initial ? LOW_PRIORITY : undefined);
    });
    if (resource.ifServed === true) kind.listenServed(() => queueAll(resource));
    listeners.push({ kind, listener });
  };
  /** @param trigger returns the reason for queueing the key; called only if an observer is set */
  const enqueue = (key: string, priority: number | undefined, trigger: () => ReconcileTrigger): void => {
    observer?.queued(key, trigger());
    queue.add(key, { priority });
  };
  const add = (
    keys: Iterable<ObjectKey>,
    priority: number | undefined,
    trigger: () => ReconcileTrigger,
  ): void => {
    for (const { name, namespace } of keys)
      enqueue(primaryKey(controller.for, { name, namespace }), priority, trigger);
  };
  /** Queues the objects of the controller that its predicates let pass, because a kind that it uses has come or has gone. */
  const queueAll = ({ kind: source }: Resource): void => {
    if (!isActive) return;
    for (const { store } of cacheOf(undefined).kindOf(controller.for).informers) {
      for (const [key, object] of store.entries()) {
        if (passes((each) => controller.accepts(each), { type: 'create', object }))
          enqueue(key, LOW_PRIORITY, () => ({ type: 'watch', source }));
      }
    }
  };
  /**
   * Calls a predicate; returns true if it throws. A predicate only saves work, so an error in it must neither lose the change nor stop the
   * operator.
   */
  const passes = (accepts: (change: ObjectEvent) => boolean, change: ObjectEvent): boolean => {
    try {
      return accepts(change);
    } catch (error) {
      const { kind, metadata } = change.object;
      const { name, namespace } = metadata;
      log.error(
        { controller: controller.name, kind, namespace, name, error },
        'Predicate failed; treating the event as accepted',
      );
      return true;
    }
  };

  const home = cacheOf(undefined);
  onChange(home, controller.for, (change, priority) => {
    const key = keyOf(change.object);
    // What the controller keeps for an object is dropped whatever its predicates say. The key of any other object is not queued, because
    // an object that the predicates reject may have its name by then.
    const isForgotten = change.type === 'delete' && wiring.keeps?.(key) === true;
    if (passes((each) => controller.accepts(each), change) || isForgotten)
      enqueue(key, priority, () => changeOf('for', change));
  });
  for (const owned of controller.owns) {
    onChange(home, owned.resource, (change, priority) => {
      if (!passes((each) => owned.accepts(each), change)) return;
      for (const object of statesOf(change))
        add(ownerKeys(controller.for, object, owned.anyOwner), priority, () => changeOf('owns', change));
    });
  }
  for (const index of controller.indexes) home.addIndex(index);
  const mapper = new WatchMapper({
    ...{ controller, reader, log, signal, clock, turn },
    add: (keys, priority, { resource }) =>
      add(keys, priority, () => ({ type: 'watch', source: resource.kind })),
  });
  for (const watched of controller.watches) {
    onChange(cacheOf(watched.cluster), watched.resource, (change, priority) => {
      if (passes((each) => watched.accepts(each), change)) mapper.add(watched, statesOf(change), priority);
    });
  }
  /** Called when the process begins to lead. Passes all cached objects to the listeners, as if these objects were listed now. */
  const replay = async (): Promise<void> => {
    for (const { kind, listener } of listeners) {
      for (const { store } of kind.informers) {
        for (const [, object] of store.entries()) {
          listener({ type: 'create', object }, LOW_PRIORITY);
          await (turn ?? processTurn).yieldIfDue();
        }
      }
    }
  };
  return async () => {
    const wasActive = isActive;
    isActive = true;
    if (!wasActive) await replay();
    const context = { client: reader, signal, now: () => clock.today().getTime() };
    const options = { context, log: log.child({ controller: controller.name }), clock };
    const run = (source: KeySource): Promise<void> =>
      runSource(source, {
        ...options,
        add: (keys) => add(keys, undefined, () => ({ type: source.type ?? 'from', source: source.name })),
      });
    await withClock(clock, () => Promise.all(controller.sources.map(run)));
  };
}

function unknownCluster(controller: Controller, name = ''): OpSdkError {
  return new OpSdkError({
    code: 'runtime/unknown-cluster',
    message: `watch: expected a cluster of this manager, got the cluster ${name} of another one`,
    where: { object: `controller ${controller.name}`, path: 'watches' },
    fix: ['as the cluster of `watch`, pass what addCluster of the same manager returned'],
  });
}

/** Returns the queue key of an object. @throws TypeError for an invalid key, whose reconcile would look like that of a deleted object */
function primaryKey({ kind, namespaced }: Resource, { name, namespace }: ObjectKey): string {
  if (!name || (namespaced && !namespace)) {
    throw new TypeError(
      `invalid key of a ${kind}: expected ${namespaced ? 'name and namespace' : 'a name'}, got ${JSON.stringify({ namespace, name })}`,
    );
  }
  return keyText(namespaced ? { name, namespace } : { name });
}

function changeOf(type: 'for' | 'owns', { type: event, object }: ObjectEvent): ReconcileTrigger {
  const { name, namespace } = object.metadata;
  return { type, source: object.kind, event, object: { name, namespace } };
}

/**
 * Returns the states of an object whose owners are reconciled: for an update the old and the new state, because the update can move the
 * object to another owner.
 */
function statesOf(change: ObjectEvent): readonly CachedObject[] {
  return change.type === 'update' ? [change.oldObject, change.object] : [change.object];
}
