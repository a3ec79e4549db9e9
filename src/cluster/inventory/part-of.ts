import type { KubeObject, ManagedFieldsEntry } from '../../sdk/api/index.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { partOfLabel } from './apply-set.ts';

/** The ApplySet that an object belongs to. */
export function applySetOf({ metadata }: Pick<KubeObject, 'metadata'> | ManifestObject): string | undefined {
  return metadata.labels?.[partOfLabel];
}

/** The same objects as members of an ApplySet. Their own labels alone: those of Pods and selectors stay as they are. */
export function asMembers(objects: readonly PlacedObject[], id: string): readonly PlacedObject[] {
  return objects.map(({ object, where }) => ({
    object: {
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, [partOfLabel]: id } },
    },
    where,
  }));
}

/**
 * The same object, as a member of the ApplySet in which `manager` has put it before: an apply that says nothing of it would
 * take the object out, and an inventory would lose it. What others have put there, such an apply leaves alone.
 */
export function keptInSet(
  object: ClusterObject,
  before: KubeObject | undefined,
  manager: string,
): ClusterObject {
  const { metadata } = object.object;
  const id = before === undefined ? undefined : applySetOf(before);
  if (id === undefined || metadata.labels?.[partOfLabel] !== undefined) return object;
  if (before?.metadata.managedFields?.some((entry) => ownsLabel(entry, manager)) !== true) return object;
  const labels = { ...metadata.labels, [partOfLabel]: id };
  return { ...object, object: { ...object.object, metadata: { ...metadata, labels } } };
}

function ownsLabel(entry: ManagedFieldsEntry, manager: string): boolean {
  if (entry.manager !== manager || entry.operation !== 'Apply') return false;
  const labels = jsonMapOf(jsonMapOf(jsonMapOf(entry.fieldsV1)['f:metadata'])['f:labels']);
  return Object.hasOwn(labels, `f:${partOfLabel}`);
}
