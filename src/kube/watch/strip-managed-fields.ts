import type { KubeObject } from '../../api/index.ts';

/** Removes metadata.managedFields in place: often half of an object, and of no use to a reader. */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  delete object.metadata.managedFields;
  return object;
}
