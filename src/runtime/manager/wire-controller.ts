import type { Resource } from '../../api/index.ts';
import { keyOf, keyText } from '../../kube/object-key.ts';
import type { ObjectKey } from '../../kube/types.ts';
import type { Cache, CachedObject, CachedReader, ObjectEvent } from '../cache/index.ts';
import type { Controller } from '../controller/index.ts';
import { ownerKeys } from '../controller/owner-keys.ts';
import type { Logger } from '../create-logger.ts';
import type { WorkQueue } from '../queue/index.ts';

export interface Wiring {
  readonly cache: Cache;
  readonly queue: WorkQueue;
  /** What the `map` functions of watches read with. */
  readonly reader: CachedReader;
  readonly log: Logger;
}

/** Declares the kinds of a controller and lets their changes ask for reconciles. */
export function wireController(controller: Controller, { cache, queue, reader, log }: Wiring): void {
  const onChange = (resource: Resource, listener: (change: ObjectEvent) => void): void => {
    cache.declare(resource).listen(listener);
  };
  const add = (keys: Iterable<ObjectKey>): void => {
    for (const { name, namespace } of keys) queue.add(primaryKey(controller.for, { name, namespace }));
  };
  const report = (
    message: string,
    { kind, metadata: { name, namespace } }: CachedObject,
    error: unknown,
  ): void => log.error({ controller: controller.name, kind, namespace, name, error }, message);
  /** A predicate saves work; one that throws must cost neither the change nor the operator. */
  const passes = (accepts: (change: ObjectEvent) => boolean, change: ObjectEvent): boolean => {
    try {
      return accepts(change);
    } catch (error) {
      report('Predicate failed; treating the event as accepted', change.object, error);
      return true;
    }
  };

  onChange(controller.for, (change) => {
    if (passes((each) => controller.accepts(each), change)) queue.add(keyOf(change.object));
  });
  for (const owned of controller.owns) {
    onChange(owned, (change) => {
      for (const object of statesOf(change)) add(ownerKeys(controller.for, object));
    });
  }
  for (const watched of controller.watches) {
    const map = async (object: CachedObject): Promise<void> => {
      try {
        add(await watched.map(object, { client: reader }));
      } catch (error) {
        report('Watch map function failed', object, error);
      }
    };
    onChange(watched.resource, (change) => {
      if (!passes((each) => watched.accepts(each), change)) return;
      for (const object of statesOf(change)) void map(object);
    });
  }
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
