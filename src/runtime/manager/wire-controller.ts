import type { KubeObject, Resource } from '../../api/index.ts';
import type { ObjectKey, Reader } from '../../kube/types.ts';
import { keyOf, keyText, type Cache, type StoreChange } from '../cache/index.ts';
import type { Controller } from '../controller/index.ts';
import { ownerKeys } from '../controller/owner-keys.ts';
import type { Logger } from '../log/index.ts';
import type { WorkQueue } from '../queue/index.ts';

export interface Wiring {
  readonly cache: Cache;
  readonly queue: WorkQueue;
  /** What the `map` functions of watches read with. */
  readonly reader: Reader;
  readonly log: Logger;
}

/** Declares the kinds of a controller and lets their changes ask for reconciles. */
export function wireController(controller: Controller, { cache, queue, reader, log }: Wiring): void {
  const onChange = (resource: Resource, listener: (change: StoreChange) => void): void => {
    for (const informer of cache.declare(resource)) informer.listen(listener);
  };
  const add = (keys: Iterable<ObjectKey>): void => {
    for (const { name, namespace } of keys) {
      queue.add(keyText(controller.for.namespaced ? { name, namespace } : { name }));
    }
  };

  onChange(controller.for, (change) => {
    if (controller.accepts(change)) queue.add(keyOf(change.object));
  });
  for (const owned of controller.owns) {
    onChange(owned, (change) => {
      for (const object of statesOf(change)) add(ownerKeys(controller.for, object));
    });
  }
  for (const watched of controller.watches) {
    const map = async (object: KubeObject): Promise<void> => {
      try {
        add(await watched.map(object, { client: reader }));
      } catch (error) {
        const { name, namespace } = object.metadata;
        log.error(
          { controller: controller.name, kind: object.kind, namespace, name, error },
          'Error in map of a watch',
        );
      }
    };
    onChange(watched.resource, (change) => {
      if (!watched.accepts(change)) return;
      for (const object of statesOf(change)) void map(object);
    });
  }
}

/** The states whose owners are concerned: an update can take an object from one to another. */
function statesOf(change: StoreChange): readonly KubeObject[] {
  return change.type === 'update' ? [change.old, change.object] : [change.object];
}
