/** Object metadata as the API server sends it: plain JSON, times are RFC 3339 strings. Source: apimachinery `pkg/apis/meta/v1/types.go`. */
export interface ObjectMeta {
  /** Unique among the objects of the kind in a namespace; cannot be changed. */
  name?: string | undefined;
  /** A prefix to which the server adds a random suffix, when a new object has no `name`. */
  generateName?: string | undefined;
  /** Absent for cluster-scoped objects. */
  namespace?: string | undefined;
  /** Unique in space and time; set by the server. */
  uid?: string | undefined;
  /** Changes with every write; set by the server. An update that carries it fails with a conflict if it is out of date. */
  resourceVersion?: string | undefined;
  /** Counts the changes of the desired state (not of status); set by the server. Kinds without a desired state have none. */
  generation?: number | undefined;
  /** RFC 3339; set by the server. */
  creationTimestamp?: string | undefined;
  /** RFC 3339; set by the server when deletion was requested: the object is removed once `finalizers` is empty. */
  deletionTimestamp?: string | undefined;
  /** Seconds until a graceful deletion ends; set with `deletionTimestamp`. */
  deletionGracePeriodSeconds?: number | undefined;
  /** For selecting objects. */
  labels?: Record<string, string> | undefined;
  /** For tools and people; not selectable. At most 256 KiB in total. */
  annotations?: Record<string, string> | undefined;
  /** The objects on which this one depends: it is garbage-collected when none of them exists any longer. At most one is its controller. */
  ownerReferences?: OwnerReference[] | undefined;
  /** Keys of the controllers that have to clean up before the object is removed: `example.com/name`. */
  finalizers?: string[] | undefined;
  /** The fields that each field manager owns; set by the server. */
  managedFields?: ManagedFieldsEntry[] | undefined;
  /** Always empty since Kubernetes 1.20. */
  selfLink?: string | undefined;
}

/** A dependency on another object, in the same namespace or cluster-scoped. See {@link ObjectMeta.ownerReferences}. */
export interface OwnerReference {
  /** `group/version` of the owner. */
  apiVersion: string;
  /** The kind of the owner. */
  kind: string;
  /** The name of the owner. */
  name: string;
  /** The uid of the owner; another object with the same name but another uid does not match. */
  uid: string;
  /** True for the one owner that manages the object. */
  controller?: boolean | undefined;
  /** True: foreground deletion of the owner waits for this object. */
  blockOwnerDeletion?: boolean | undefined;
}

/** The fields that one manager owns by one kind of operation. Source: apimachinery `metav1.ManagedFieldsEntry`. */
export interface ManagedFieldsEntry {
  /** The API version to which the field names belong. */
  apiVersion?: string | undefined;
  /** Always `FieldsV1`. */
  fieldsType?: string | undefined;
  /** The fields as a tree of `f:<name>`, `k:<keys>` and `v:<value>`. */
  fieldsV1?: Record<string, unknown> | undefined;
  /** The field manager of the writes. */
  manager?: string | undefined;
  /** `Apply` for server-side apply, `Update` for every other write. */
  operation?: string | undefined;
  /** The subresource of the writes, such as `status`; absent for the object itself. */
  subresource?: string | undefined;
  /** RFC 3339: the last change of the entry. */
  time?: string | undefined;
}

/** The metadata of a list. */
export interface ListMeta {
  /** The state of the collection that the list shows. */
  resourceVersion?: string | undefined;
  /** The token of the next page; absent at the end. */
  continue?: string | undefined;
  /** Number of objects on further pages, if the server reports it. */
  remainingItemCount?: number | undefined;
}

/** The metadata of a stored object, which has a name, unlike that of a template. */
export interface NamedObjectMeta extends ObjectMeta {
  /** Unique among the objects of the kind in a namespace; cannot be changed. */
  name: string;
}

/**
 * Any object that the API server stores: a kind, a version, and metadata. Built-in, scaffolded and imported kinds give both parameters as
 * literals, so that kinds of equal shape, and versions of one kind, are different types.
 */
export interface KubeObject<ApiVersion extends string = string, Kind extends string = string> {
  /** `group/version`, or `v1` for the core group. */
  apiVersion: ApiVersion;
  /** In CamelCase: `Deployment`. */
  kind: Kind;
  /** Name, namespace, labels and the fields that the server maintains. */
  metadata: NamedObjectMeta;
}

/** Result of `client.list`. */
export interface KubeList<T> {
  /** The state of the collection that the list shows. */
  metadata: ListMeta;
  /** All matching objects; the client follows the pages. Objects from the cache are frozen. */
  items: T[];
}

/**
 * The base of custom kinds: extend it with `spec`, `status` or any other root field. Give the same `group/version` and kind as in
 * `defineResource`: they distinguish the kind from others of the same shape.
 *
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

/** One aspect of an object's state. The CRD contains all validation rules of the Go type. Source: apimachinery `metav1.Condition`. */
export interface Condition {
  /** CamelCase or foo.example.com/CamelCase. At most 316 characters. */
  type: string;
  /** `Unknown` as long as the controller cannot determine the status. */
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
