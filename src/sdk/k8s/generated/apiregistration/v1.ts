// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { KubeObject } from '../../../api/meta.ts';
import type { Base64, DateTime, Int32 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** APIService represents a server for a particular GroupVersion. */
export interface APIService extends KubeObject<'apiregistration.k8s.io/v1', 'APIService'> {
  /** Spec contains information for locating and communicating with a server */
  spec?: APIServiceSpec | undefined;
  /** Status contains derived information about an API server */
  status?: APIServiceStatus | undefined;
}
export const APIService: Resource<APIService> = /* @__PURE__ */ externalResource<APIService>({ group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService', plural: 'apiservices', scope: 'Cluster' });

/** APIServiceCondition describes the state of an APIService at a particular point */
export interface APIServiceCondition {
  /** Last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** Human-readable message indicating details about last transition. */
  message?: string | undefined;
  /** Unique, one-word, CamelCase reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status is the status of the condition. */
  status: string;
  /** Type is the type of the condition. */
  type: string;
}

/** APIServiceSpec contains information for locating and communicating with a server. */
export interface APIServiceSpec {
  /** CABundle is a PEM encoded CA bundle which will be used to validate an API server's serving certificate. */
  caBundle?: Base64 | undefined;
  /** Group is the API group name this server hosts */
  group?: string | undefined;
  /** GroupPriorityMinimum is the priority this group should have at least. */
  groupPriorityMinimum: Int32;
  /** InsecureSkipTLSVerify disables TLS certificate verification when communicating with this server. */
  insecureSkipTLSVerify?: boolean | undefined;
  /** Service is a reference to the service for this API server. */
  service?: ServiceReference | undefined;
  /** Version is the API version this server hosts. */
  version?: string | undefined;
  /** VersionPriority controls the ordering of this API version inside of its group. */
  versionPriority: Int32;
}

/** APIServiceStatus contains derived information about an API server */
export interface APIServiceStatus {
  /** Current service state of apiService. */
  conditions?: APIServiceCondition[] | undefined;
}

/** ServiceReference holds a reference to Service.legacy.k8s.io */
export interface ServiceReference {
  /** Name is the name of the service */
  name?: string | undefined;
  /** Namespace is the namespace of the service */
  namespace?: string | undefined;
  /** If specified, the port on the service that hosting webhook. */
  port?: Int32 | undefined;
}
