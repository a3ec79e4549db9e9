import type { Resource } from '../../api/index.ts';
import { keyOf, keyText } from '../../kube/object-key.ts';
import type { ObjectKey } from '../../kube/types.ts';
import { systemClock, type Clock } from '../../net/index.ts';
import type { Cache, CachedObject, CachedReader, ObjectEvent } from '../cache/index.ts';
import type { Controller, KeySource } from '../controller/index.ts';
import { ownerKeys } from '../controller/owner-keys.ts';
import { runSource } from '../controller/run-source.ts';
import type { Logger } from '../create-logger.ts';
import { LOW_PRIORITY, type WorkQueue } from '../queue/index.ts';
import type { Turn } from '../yielding.ts';
import { WatchMapper } from './watch-mapper.ts';

export interface Wiring {
  readonly cache: Cache;
  readonly queue: WorkQueue;
  /** What the `map` functions of watches read with. */
  readonly reader: CachedReader;
  readonly log: Logger;
  /** Ends the maps of watches. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly turn?: Turn;
}

/**
 * Declares the kinds of a controller and lets their changes ask for reconciles.
 *
 * @returns starts what else asks for reconciles; resolves when all of that has ended, at the latest soon after the signal
 */
export function wireController(controller: Controller, wiring: Wiring): () => Promise<void> {
  const { cache, queue, reader, log, signal, clock, turn } = wiring;
  const onChange = (
    resource: Resource,
    listener: (change: ObjectEvent, priority: number | undefined) => void,
  ): void => {
    cache
      .declare(resource)
      .listen((change, { initial }) => listener(change, initial ? LOW_PRIORITY : undefined));
  };
  const add = (keys: Iterable<ObjectKey>, priority: number | undefined): void => {
    for (const { name, namespace } of keys)
      queue.add(primaryKey(controller.for, { name, namespace }), { priority });
  };
  /** A predicate saves work; one that throws must cost neither the change nor the operator. */
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

  onChange(controller.for, (change, priority) => {
    if (passes((each) => controller.accepts(each), change)) queue.add(keyOf(change.object), { priority });
  });
  for (const owned of controller.owns) {
    onChange(owned.resource, (change, priority) => {
      if (!passes((each) => owned.accepts(each), change)) return;
      for (const object of statesOf(change)) add(ownerKeys(controller.for, object, owned.anyOwner), priority);
    });
  }
  for (const index of controller.indexes) cache.addIndex(index);
  const mapper = new WatchMapper({ controller, reader, log, signal, add, clock, turn });
  for (const watched of controller.watches) {
    // Such a handle cannot be made yet; the manager's own cluster would be another one than was asked for.
    if (watched.cluster !== undefined)
      throw new TypeError('watch: other clusters are not supported in this version');
    onChange(watched.resource, (change, priority) => {
      if (passes((each) => watched.accepts(each), change)) mapper.add(watched, statesOf(change), priority);
    });
  }
  return async () => {
    const context = { client: reader, signal };
    const options = { context, log: log.child({ controller: controller.name }), clock: clock ?? systemClock };
    const run = (source: KeySource): Promise<void> =>
      runSource(source, { ...options, add: (keys) => add(keys, undefined) });
    await Promise.all(controller.sources.map(run));
  };
}

/** @throws TypeError for a key that can be no object's: its reconcile would be taken for one of an object that is gone */
function primaryKey({ kind, namespaced }: Resource, { name, namespace }: ObjectKey): string {
  if (!name || (namespaced && !namespace)) {
    throw new TypeError(
      `invalid key of a ${kind}: expected ${namespaced ? 'name and namespace' : 'a name'}, got ${JSON.stringify({ namespace, name })}`,
    );
  }
  return keyText(namespaced ? { name, namespace } : { name });
}

/** The states whose owners are concerned: an update can take an object from one to another. */
function statesOf(change: ObjectEvent): readonly CachedObject[] {
  return change.type === 'update' ? [change.oldObject, change.object] : [change.object];
}
