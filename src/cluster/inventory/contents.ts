import type { Resource, KubeObject, ManagedFieldsEntry } from '../../sdk/api/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/index.ts';
import { partOfLabel } from './apply-set.ts';

const namespacesAnnotation = 'applyset.kubernetes.io/additional-namespaces';

const groupKindsAnnotation = 'applyset.kubernetes.io/contains-group-kinds';

/** Kinds and namespaces in which an ApplySet may have members. */
export interface ApplySetContents {
  /** Kinds as formatted by {@link groupKindText}. */
  readonly kinds: ReadonlySet<string>;
  /** Namespaces besides the namespace of the parent, which is always included. */
  readonly namespaces: ReadonlySet<string>;
}

type Annotations = Readonly<Record<string, string>>;

/**
 * Formats a kind with its group, such as `Deployment.apps`. Kinds of the core group are written without a group. Source: apimachinery
 * `schema.GroupKind.String`.
 */
export function groupKindText({ group, kind }: Pick<Resource, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

export function readContents(annotations: Annotations, parentNamespace: string): ApplySetContents {
  const namespaces = listed(annotations[namespacesAnnotation]);
  namespaces.delete(parentNamespace);
  return { kinds: listed(annotations[groupKindsAnnotation]), namespaces };
}

/**
 * Returns the annotations that record the contents of an ApplySet. Names are sorted, and an annotation without names is empty. Source:
 * kubectl `generateKindsAnnotation`, `generateNamespacesAnnotation`.
 */
export function contentsAnnotations({ kinds, namespaces }: ApplySetContents): Annotations {
  return {
    [groupKindsAnnotation]: [...kinds].sort().join(','),
    [namespacesAnnotation]: [...namespaces].sort().join(','),
  };
}

/** Returns the kinds and namespaces of objects, so that the objects can be found again later. */
export function contentsOf(
  objects: readonly Pick<ClusterObject, 'resource' | 'key'>[],
  parentNamespace: string,
): ApplySetContents {
  const namespaces = objects.flatMap(({ key }) => (key.namespace === undefined ? [] : [key.namespace]));
  return {
    kinds: new Set(objects.map(({ resource }) => groupKindText(resource))),
    namespaces: new Set(namespaces.filter((each) => each !== parentNamespace)),
  };
}

export function unionOf(a: ApplySetContents, b: ApplySetContents): ApplySetContents {
  return {
    kinds: new Set([...a.kinds, ...b.kinds]),
    namespaces: new Set([...a.namespaces, ...b.namespaces]),
  };
}

/** Returns the kinds and namespaces that `a` contains and `b` does not. */
export function contentsWithout(a: ApplySetContents, b: ApplySetContents): ApplySetContents {
  return {
    kinds: new Set([...a.kinds].filter((each) => !b.kinds.has(each))),
    namespaces: new Set([...a.namespaces].filter((each) => !b.namespaces.has(each))),
  };
}

function listed(text = ''): Set<string> {
  return new Set(text === '' ? [] : text.split(','));
}

/** Returns the id of the ApplySet that an object belongs to; undefined if it belongs to none. */
export function applySetOf({ metadata }: Pick<KubeObject, 'metadata'> | ManifestObject): string | undefined {
  return metadata.labels?.[partOfLabel];
}

/**
 * Labels the objects as members of an ApplySet. Only the labels of the objects themselves change, not the labels in Pod templates and
 * selectors.
 */
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
 * Returns the object with the ApplySet label that `manager` has set on the live object before. Without this label, an apply by `manager`
 * would remove it, and the inventory of the ApplySet would lose the object. A label that another manager has set is not added, because the
 * apply does not remove it.
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
