import { formatWhere } from '../../base/errors/format.ts';
import { effectiveNamespace } from './ids.ts';
import { idOf, type Resource } from './resource.ts';

/** A text that is the same for two resources exactly if their present ids mean the same resource. */
export function idKey(resource: Resource): string {
  const id = idOf(resource);
  return JSON.stringify([id.group, id.version, id.kind, effectiveNamespace(id), id.name]);
}

/**
 * Finds resources with the same id.
 *
 * @param onDuplicate called with the place of the first one, and each further one
 */
export function findDuplicates(
  resources: readonly Resource[],
  onDuplicate: (first: string, duplicate: Resource) => void,
): void {
  const known = new Map<string, Resource>();
  for (const resource of resources) {
    const key = idKey(resource);
    const first = known.get(key);
    if (first === undefined) known.set(key, resource);
    else onDuplicate(formatWhere(first.where), resource);
  }
}
