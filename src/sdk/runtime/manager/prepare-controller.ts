import type { Client } from '../../kube/types.ts';
import type { Clock } from '../../net/index.ts';
import { OwnWrites, StoreReader, type Cache } from '../cache/index.ts';
import { CacheBackedClient } from '../client/index.ts';
import { ControllerRunner } from '../controller/controller-runner.ts';
import {
  RunObserver,
  type ClusterHandle,
  type Controller,
  type ReconcileObserver,
} from '../controller/index.ts';
import type { Logger } from '../create-logger.ts';
import { diagnostics } from '../diagnostics.ts';
import { eventSource, recorderFor, type EventWriter } from '../events/index.ts';
import { wireController } from './wire-controller.ts';

/** Environment shared by the controllers of a manager. */
export interface ControllerEnvironment {
  /** The manager's name. */
  readonly name: string;
  readonly log: Logger;
  /** Cache of the manager's own cluster, whose objects are reconciled. */
  readonly cache: Cache;
  /** The caches of other clusters; undefined for a handle that this manager did not give. Default: there are none. */
  readonly otherCache?: (cluster: ClusterHandle) => Cache | undefined;
  /** Client for the writes of reconciles. */
  readonly client: Client;
  readonly events: EventWriter;
  readonly onReconcile?: ReconcileObserver | undefined;
  /** Ends maps and sources. */
  readonly stop: AbortSignal;
  /** Ends reconciles. */
  readonly abort: AbortSignal;
  /** See `Wiring`. */
  readonly standsBy?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** See `ControllerRunnerOptions`. */
  readonly onRun?: (key: string, error: unknown) => void;
}

/** A controller of a manager, not started yet. */
export interface PreparedController {
  readonly runner: ControllerRunner;
  /** See `wireController`. */
  readonly runSources: () => Promise<void>;
}

/** Gives a controller what its reconciles work with, and declares its kinds. */
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
    observer,
    log,
    signal: abort,
    ...(clock === undefined ? {} : { clock }),
    ...(onRun === undefined ? {} : { onRun }),
  });
  const runSources = wireController(controller, {
    cacheOf: (cluster) => (cluster === undefined ? cache : otherCache?.(cluster)),
    queue: runner.queue,
    reader: cached,
    standsBy: environment.standsBy ?? false,
    observer,
    log,
    signal: stop,
    ...(clock === undefined ? {} : { clock }),
  });
  return { runner, runSources };
}
