import { externalResource, type KubeObject, type Resource } from '../../api/index.ts';

/** A type that an API server serves, as its discovery documents describe it. */
export interface ServedType {
  /** Its token, for a client. */
  readonly resource: Resource<KubeObject>;
  /** Lower case, as in messages of kubectl: `deployment`. May be empty. */
  readonly singular: string;
  /** As kubectl takes them: `deploy`. */
  readonly shortNames: readonly string[];
  /** Verbs of the type: `get`, `list`, `patch`, … */
  readonly verbs: readonly string[];
}

/** Everything that an API server serves at one moment. */
export interface ApiDirectory {
  /** Groups in the server's order, versions of a group with the preferred one first. Subresources are left out. */
  readonly types: readonly ServedType[];
  /** Group versions, such as `metrics.k8s.io/v1beta1`, whose types are unknown because their aggregated API server is away. */
  readonly unavailable: readonly string[];
}

/** Description of a type, common to both forms of discovery documents. */
export interface TypeDescription {
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string | undefined;
  readonly namespaced: boolean;
  readonly verbs?: readonly string[] | undefined;
  readonly shortNames?: readonly string[] | undefined;
}

export function servedType(group: string, version: string, type: TypeDescription): ServedType {
  return {
    resource: externalResource({
      group,
      version,
      kind: type.kind,
      plural: type.plural,
      scope: type.namespaced ? 'Namespaced' : 'Cluster',
    }),
    singular: type.singular ?? '',
    shortNames: type.shortNames ?? [],
    verbs: type.verbs ?? [],
  };
}
