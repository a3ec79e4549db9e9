/** Object metadata as the API server sends it: plain JSON, times are RFC 3339 strings. Source: apimachinery `pkg/apis/meta/v1/types.go`. */
export interface ObjectMeta {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | undefined;
  creationTimestamp?: string | undefined;
  deletionTimestamp?: string | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  finalizers?: string[] | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
  selfLink?: string | undefined;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}

export interface ManagedFieldsEntry {
  apiVersion?: string | undefined;
  fieldsType?: string | undefined;
  fieldsV1?: Record<string, unknown> | undefined;
  manager?: string | undefined;
  operation?: string | undefined;
  subresource?: string | undefined;
  time?: string | undefined;
}

export interface ListMeta {
  resourceVersion?: string | undefined;
  continue?: string | undefined;
  remainingItemCount?: number | undefined;
}

/** The metadata of a whole object, as against that of a template: a stored object has a name. */
export interface NamedObjectMeta extends ObjectMeta {
  name: string;
}

/** Anything the API server stores: a kind, a version, and metadata. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: NamedObjectMeta;
}

/** What `client.list` returns. */
export interface KubeList<T extends KubeObject> {
  metadata: ListMeta;
  items: T[];
}

/**
 * The base of your own kinds: extend it with `spec`, `status` or any other root field.
 *
 * @example
 * export interface Memcached extends CustomResource {
 *   spec: MemcachedSpec;
 *   status?: MemcachedStatus;
 * }
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a name of its own, by which the generator knows your kinds
export interface CustomResource extends KubeObject {}

/** One aspect of an object's state. Source: apimachinery `metav1.Condition`, with its whole validation in the CRD. */
export interface Condition {
  /** CamelCase or foo.example.com/CamelCase. At most 316 characters. */
  type: string;
  status: 'True' | 'False' | 'Unknown';
  /** The `metadata.generation` that the condition was set for. */
  observedGeneration?: number | undefined;
  /** RFC 3339. Changes only when `status` does. */
  lastTransitionTime: string;
  /** CamelCase, not empty, at most 1,024 characters. */
  reason: string;
  /** For people, at most 32,768 characters. */
  message: string;
}
