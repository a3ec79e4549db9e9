// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { ListMeta } from '../../../api/meta.ts';
import type { Int32, Int64, JsonObject } from '../../../api/types.ts';

export type { Condition, ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../../../api/meta.ts';

/** APIResource specifies the name of a resource and whether it is namespaced. */
export interface APIResource {
  /** categories is a list of the grouped resources this resource belongs to (e.g. 'all') */
  categories?: string[] | undefined;
  /** group is the preferred group of the resource. */
  group?: string | undefined;
  /** kind is the kind for the resource (e.g. 'Foo' is the kind for a resource 'foo') */
  kind: string;
  /** name is the plural name of the resource. */
  name: string;
  /** namespaced indicates if a resource is namespaced or not. */
  namespaced: boolean;
  /** shortNames is a list of suggested short names of the resource. */
  shortNames?: string[] | undefined;
  /** singularName is the singular name of the resource. */
  singularName: string;
  /** The hash value of the storage version, the version this resource is converted to when written to the data store. */
  storageVersionHash?: string | undefined;
  /** verbs is a list of supported kube verbs (this includes get, list, watch, create, update, patch, delete, deletecollection, and proxy) */
  verbs: string[];
  /** version is the preferred version of the resource. */
  version?: string | undefined;
}

/** APIResourceList is a list of APIResource, it is used to expose the name of the resources supported in a specific group and version, and if the resource is namespaced. */
export interface APIResourceList {
  /** APIVersion defines the versioned schema of this representation of an object. */
  apiVersion?: string | undefined;
  /** groupVersion is the group and version this APIResourceList is for. */
  groupVersion: string;
  /** Kind is a string value representing the REST resource this object represents. */
  kind?: string | undefined;
  /** resources contains the name of the resources and if they are namespaced. */
  resources: APIResource[];
}

/** DeleteOptions may be provided when deleting an API object. */
export interface DeleteOptions {
  /** APIVersion defines the versioned schema of this representation of an object. */
  apiVersion?: string | undefined;
  /** When present, indicates that modifications should not be persisted. */
  dryRun?: string[] | undefined;
  /** The duration in seconds before the object should be deleted. */
  gracePeriodSeconds?: Int64 | undefined;
  /** if set to true, it will trigger an unsafe deletion of the resource in case the normal deletion flow fails with a corrupt object error. */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
  /** Kind is a string value representing the REST resource this object represents. */
  kind?: string | undefined;
  /** Deprecated: please use the PropagationPolicy, this field will be deprecated in 1.7. @deprecated */
  orphanDependents?: boolean | undefined;
  /** Must be fulfilled before a deletion is carried out. */
  preconditions?: Preconditions | undefined;
  /** Whether and how garbage collection will be performed. */
  propagationPolicy?: string | undefined;
}

/** FieldSelectorRequirement is a selector that contains values, a key, and an operator that relates the key and values. */
export interface FieldSelectorRequirement {
  /** key is the field selector key that the requirement applies to. */
  key: string;
  /** operator represents a key's relationship to a set of values. */
  operator: string;
  /** values is an array of string values. */
  values?: string[] | undefined;
}

/** GroupResource specifies a Group and a Resource, but does not force a version. */
export interface GroupResource {
  group: string;
  resource: string;
}

/** A label selector is a label query over a set of resources. */
export interface LabelSelector {
  /** matchExpressions is a list of label selector requirements. */
  matchExpressions?: LabelSelectorRequirement[] | undefined;
  /** matchLabels is a map of {key,value} pairs. */
  matchLabels?: Record<string, string> | undefined;
}

/** A label selector requirement is a selector that contains values, a key, and an operator that relates the key and values. */
export interface LabelSelectorRequirement {
  /** key is the label key that the selector applies to. */
  key: string;
  /** operator represents a key's relationship to a set of values. */
  operator: string;
  /** values is an array of string values. */
  values?: string[] | undefined;
}

/** Preconditions must be fulfilled before an operation (update, delete, etc.) is carried out. */
export interface Preconditions {
  /** Specifies the target ResourceVersion */
  resourceVersion?: string | undefined;
  /** Specifies the target UID. */
  uid?: string | undefined;
}

/** ShardInfo describes the shard selector that was applied to produce a list response. */
export interface ShardInfo {
  /** selector is the shard selector string from the request, echoed back so clients can verify which shard they received and merge responses from multiple shards. */
  selector: string;
}

/** Status is a return value for calls that don't return other objects. */
export interface Status {
  /** APIVersion defines the versioned schema of this representation of an object. */
  apiVersion?: string | undefined;
  /** Suggested HTTP return code for this status, 0 if not set. */
  code?: Int32 | undefined;
  /** Extended data associated with the reason. */
  details?: StatusDetails | undefined;
  /** Kind is a string value representing the REST resource this object represents. */
  kind?: string | undefined;
  /** A human-readable description of the status of this operation. */
  message?: string | undefined;
  /** Standard list metadata. */
  metadata?: ListMeta | undefined;
  /** A machine-readable description of why this operation is in the "Failure" status. */
  reason?: string | undefined;
  /** Status of the operation. */
  status?: string | undefined;
}

/** StatusCause provides more information about an api.Status failure, including cases when multiple errors are encountered. */
export interface StatusCause {
  /** The field of the resource that has caused this error, as named by its JSON serialization. */
  field?: string | undefined;
  /** A human-readable description of the cause of the error. */
  message?: string | undefined;
  /** A machine-readable description of the cause of the error. */
  reason?: string | undefined;
}

/** StatusDetails is a set of additional properties that MAY be set by the server to provide additional information about a response. */
export interface StatusDetails {
  /** The Causes array includes more details associated with the StatusReason failure. */
  causes?: StatusCause[] | undefined;
  /** The group attribute of the resource associated with the status StatusReason. */
  group?: string | undefined;
  /** The kind attribute of the resource associated with the status StatusReason. */
  kind?: string | undefined;
  /** The name attribute of the resource associated with the status StatusReason (when there is a single name which can be described). */
  name?: string | undefined;
  /** If specified, the time in seconds before the operation should be retried. */
  retryAfterSeconds?: Int32 | undefined;
  /** UID of the resource. */
  uid?: string | undefined;
}

/** Event represents a single event to a watched resource. */
export interface WatchEvent {
  /** Object is: * If Type is Added or Modified: the new state of the object. */
  object: JsonObject;
  type: string;
}
