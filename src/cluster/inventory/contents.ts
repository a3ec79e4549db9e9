import type { Resource } from '../../sdk/api/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { groupKindsAnnotation, namespacesAnnotation } from './apply-set.ts';

/** Where the members of an ApplySet are to be looked for. */
export interface ApplySetContents {
  /** As {@link groupKindText} writes them. */
  readonly kinds: ReadonlySet<string>;
  /** Beside the namespace of the parent, which always counts. */
  readonly namespaces: ReadonlySet<string>;
}

type Annotations = Readonly<Record<string, string>>;

/** `Deployment.apps`; of the core group the kind alone. Source: apimachinery `schema.GroupKind.String`. */
export function groupKindText({ group, kind }: Pick<Resource, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** Reads the annotations of a parent. */
export function readContents(annotations: Annotations, parentNamespace: string): ApplySetContents {
  const namespaces = listed(annotations[namespacesAnnotation]);
  namespaces.delete(parentNamespace);
  return { kinds: listed(annotations[groupKindsAnnotation]), namespaces };
}

/** Source: kubectl `generateKindsAnnotation`, `generateNamespacesAnnotation`: sorted, empty where there is nothing. */
export function contentsAnnotations({ kinds, namespaces }: ApplySetContents): Annotations {
  return {
    [groupKindsAnnotation]: [...kinds].sort().join(','),
    [namespacesAnnotation]: [...namespaces].sort().join(','),
  };
}

/** Contents by which objects can be found again. */
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

/** Contents of `a` that `b` does not have. */
export function contentsWithout(a: ApplySetContents, b: ApplySetContents): ApplySetContents {
  return {
    kinds: new Set([...a.kinds].filter((each) => !b.kinds.has(each))),
    namespaces: new Set([...a.namespaces].filter((each) => !b.namespaces.has(each))),
  };
}

function listed(text = ''): Set<string> {
  return new Set(text === '' ? [] : text.split(','));
}
