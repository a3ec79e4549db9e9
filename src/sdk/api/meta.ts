/**
 * Object metadata as the API server sends it: plain JSON, with times as RFC 3339 strings. Source: apimachinery `pkg/apis/meta/v1/types.go`.
 */
export interface ObjectMeta {
  /** Name of the object, unique among the objects of the same kind in a namespace; cannot be changed. */
  name?: string | undefined;
  /** Prefix of a generated name: if a new object has no `name`, the server appends a random suffix to the prefix. */
  generateName?: string | undefined;
  /** Namespace of the object; absent for cluster-scoped objects. */
  namespace?: string | undefined;
  /** Identifier of the object, unique in space and time; set by the server. */
  uid?: string | undefined;
  /**
   * Version of the stored object, set by the server and changed with every write. An update that contains an outdated value fails with a
   * conflict.
   */
  resourceVersion?: string | undefined;
  /** Counts the changes of the desired state (not of the status); set by the server. Absent for kinds that have no desired state. */
  generation?: number | undefined;
  /** Time at which the object was created, in RFC 3339; set by the server. */
  creationTimestamp?: string | undefined;
  /** Time in RFC 3339, set by the server when deletion is requested. The object is removed once `finalizers` is empty. */
  deletionTimestamp?: string | undefined;
  /** Seconds until a graceful deletion ends; set together with `deletionTimestamp`. */
  deletionGracePeriodSeconds?: number | undefined;
  /** Key-value pairs by which objects can be selected. */
  labels?: Record<string, string> | undefined;
  /** Key-value pairs for tools and people; objects cannot be selected by them. At most 256 KiB in total. */
  annotations?: Record<string, string> | undefined;
  /**
   * Owners of this object. The object is garbage-collected when none of its owners exists any longer. At most one owner is the controller.
   */
  ownerReferences?: OwnerReference[] | undefined;
  /** Keys of the controllers that must clean up before the object is removed, such as `example.com/name`. */
  finalizers?: string[] | undefined;
  /** The fields that each field manager owns; set by the server. */
  managedFields?: ManagedFieldsEntry[] | undefined;
  /** Deprecated field, always empty since Kubernetes 1.20. */
  selfLink?: string | undefined;
}

/** Reference to an owner, which is in the same namespace or cluster-scoped. See {@link ObjectMeta.ownerReferences}. */
export interface OwnerReference {
  /** `group/version` of the owner. */
  apiVersion: string;
  /** The kind of the owner. */
  kind: string;
  /** The name of the owner. */
  name: string;
  /** The uid of the owner. An object with the same name but another uid is not the owner. */
  uid: string;
  /** True for the one owner that controls the object. */
  controller?: boolean | undefined;
  /** True if foreground deletion of the owner must wait until this object is deleted. */
  blockOwnerDeletion?: boolean | undefined;
}

/**
 * The fields that one field manager owns through one kind of operation.
 * Source: apimachinery `metav1.ManagedFieldsEntry`.
 */
export interface ManagedFieldsEntry {
  /** The API version to which the field names in `fieldsV1` belong. */
  apiVersion?: string | undefined;
  /** Format of `fieldsV1`; always `FieldsV1`. */
  fieldsType?: string | undefined;
  /** The owned fields as a tree of `f:<name>`, `k:<keys>` and `v:<value>`. */
  fieldsV1?: Record<string, unknown> | undefined;
  /** Name of the field manager that wrote the fields. */
  manager?: string | undefined;
  /** `Apply` for server-side apply, `Update` for every other write. */
  operation?: string | undefined;
  /** The subresource that was written, such as `status`; absent if the object itself was written. */
  subresource?: string | undefined;
  /** Time of the last change of this entry, in RFC 3339. */
  time?: string | undefined;
}

/** The metadata of a list. */
export interface ListMeta {
  /** Version of the collection at the time of the list. A watch may continue from it. */
  resourceVersion?: string | undefined;
  /** The token with which to request the next page; absent on the last page. */
  continue?: string | undefined;
  /** Number of objects on further pages, if the server reports it. */
  remainingItemCount?: number | undefined;
}

/** The metadata of a stored object. Unlike the metadata of a template, it always has a name. */
export interface NamedObjectMeta extends ObjectMeta {
  /** Name of the object, unique among the objects of the same kind in a namespace; cannot be changed. */
  name: string;
}

/**
 * Any object that the API server stores: a kind, a version, and metadata. Built-in, scaffolded and imported kinds set both type parameters
 * to literals, so that kinds of equal shape, and versions of one kind, are different types.
 */
export interface KubeObject<ApiVersion extends string = string, Kind extends string = string> {
  /** API version of the object: `group/version`, or `v1` for the core group. */
  apiVersion: ApiVersion;
  /** The kind of the object in CamelCase, such as `Deployment`. */
  kind: Kind;
  /** Name, namespace, labels and the fields that the server maintains. */
  metadata: NamedObjectMeta;
}

/** Result of `client.list`. */
export interface KubeList<T> {
  /** Metadata of the list, including the resource version of the collection when it was read. */
  metadata: ListMeta;
  /** All matching objects; the client has followed all pages. Objects from the cache are frozen. */
  items: T[];
}

/**
 * Base of custom kinds. Extend the interface with `spec`, `status` or any other root field. Give the same `group/version` and kind as in
 * `defineResource`, because only these two arguments distinguish the kind from other kinds of the same shape.
 * @example
 * export interface Memcached extends CustomResource<'cache.example.com/v1alpha1', 'Memcached'> {
 *   spec: MemcachedSpec;
 *   status?: MemcachedStatus;
 * }
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a name of its own, by which the generator knows your kinds
export interface CustomResource<
  ApiVersion extends string = string,
  Kind extends string = string,
> extends KubeObject<ApiVersion, Kind> {}

/**
 * One aspect of an object's state. The generated CRD contains all validation rules of the corresponding Go type. Source: apimachinery
 * `metav1.Condition`.
 */
export interface Condition {
  /** Type of the condition: CamelCase or foo.example.com/CamelCase, at most 316 characters. */
  type: string;
  /** Status of the condition; `Unknown` as long as the controller cannot determine it. */
  status: 'True' | 'False' | 'Unknown';
  /** Generation of the object (`metadata.generation`) on which the condition is based. */
  observedGeneration?: number | undefined;
  /** Time of the last change of `status`, in RFC 3339. Other changes of the condition do not affect it. */
  lastTransitionTime: string;
  /** Reason for the last transition, for programs: CamelCase, not empty, at most 1,024 characters. */
  reason: string;
  /** Message for people, at most 32,768 characters. */
  message: string;
}
