import type { KubeObject } from '../../sdk/api/index.ts';
import { isCopiedByOlm } from '../../cluster/index.ts';

/** The kinds that say how far an installation is. */
export type ObservedKind =
  | 'CatalogSource'
  | 'ClusterCatalog'
  | 'ClusterExtension'
  | 'ClusterServiceVersion'
  | 'CustomResourceDefinition'
  | 'Deployment'
  | 'InstallPlan'
  | 'Job'
  | 'OperatorGroup'
  | 'Pod'
  | 'Subscription';

/** Observed state of the cluster at one moment. Whoever judges it must not look at the cluster itself. */
export interface Observed {
  /** The object; undefined if it is missing. Without a namespace for cluster-scoped kinds. */
  get<T extends KubeObject>(kind: ObservedKind, name: string, namespace?: string): T | undefined;
  /** All objects of the kind, of one namespace if it is given; the oldest first. */
  list<T extends KubeObject>(kind: ObservedKind, namespace?: string): readonly T[];
}

/** Objects as they were read, in one list. ClusterServiceVersions that OLM copied from other namespaces are left out. */
export class ObservedObjects implements Observed {
  readonly #byKind: ReadonlyMap<string, readonly KubeObject[]>;

  constructor(objects: Iterable<KubeObject>) {
    const byKind = new Map<string, KubeObject[]>();
    for (const object of objects) {
      if (isCopiedByOlm(object)) continue;
      const others = byKind.get(object.kind);
      if (others === undefined) byKind.set(object.kind, [object]);
      else others.push(object);
    }
    for (const list of byKind.values()) list.sort((a, b) => created(a).localeCompare(created(b)));
    this.#byKind = byKind;
  }

  /** The same with more objects. */
  with(objects: readonly KubeObject[]): ObservedObjects {
    return new ObservedObjects([...this.#byKind.values()].flat().concat(objects));
  }

  get<T extends KubeObject>(kind: ObservedKind, name: string, namespace?: string): T | undefined {
    return this.list<T>(kind, namespace).find(({ metadata }) => metadata.name === name);
  }

  // What is read of an object is optional in the type that the reader asks for.
  list<T extends KubeObject>(kind: ObservedKind, namespace?: string): readonly T[] {
    const all = (this.#byKind.get(kind) ?? []) as readonly T[];
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
  }
}

function created({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? '';
}
