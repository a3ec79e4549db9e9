import type { KubeObject, Resource } from '../../api/index.ts';

/** Which objects of a kind the cache holds, and what of them. */
export interface Selection<T extends KubeObject = KubeObject> {
  /** As for `kubectl -l`: `app.kubernetes.io/managed-by=nginx-operator`. The API server sends no others. Default: every object. */
  readonly labelSelector?: string | undefined;
  /** As for `kubectl --field-selector`: `metadata.name=config`, `type=kubernetes.io/tls`. The API server sends no others. Default: every object. */
  readonly fieldSelector?: string | undefined;
  /** Only these namespaces, whatever the manager's are. Default: those of the manager. */
  readonly namespaces?: readonly string[] | undefined;
  /** Hold the metadata alone: for kinds with much data, such as Secrets. The kind is then read as `metadataOnly(K)`. Default: false. */
  readonly metadataOnly?: boolean | undefined;
  /**
   * Changes each object before it is stored, such as dropping data that no controller reads; may change it in place. What it throws stops the
   * operator. Default: `metadata.managedFields` is removed; a transform is called after that.
   */
  readonly transform?: ((object: T) => T) | undefined;
}

/** Selection of what the cache holds of one kind. Created by {@link cached}. */
export interface CachedKind {
  /** The kind. */
  readonly resource: Resource;
  /** Which objects of it, and what of them. */
  readonly selection: Selection;
}

/**
 * Says how the cache holds a kind, for `createManager({ cache: [...] })`. It does not declare the kind: a controller does that by `for`,
 * `owns` or `watches`.
 *
 * @example
 * createManager({ name: 'nginx-operator', cache: [cached(Secret, { labelSelector: 'example.com/used-by=nginx' })] });
 */
export function cached<T extends KubeObject>(resource: Resource<T>, selection: Selection<T>): CachedKind {
  // The cache gives it objects of this kind only.
  return { resource, selection: selection as unknown as Selection };
}
