import type { KubeObject } from '../../api/index.ts';

/**
 * Removes metadata.managedFields: often half of an object, and of no use to a reader. Gives the object a copy of the rest of its
 * metadata: V8 keeps an object as a hash table, three times as large and slower to read, once a property from its middle is deleted.
 */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  object.metadata = metadata;
  return object;
}
