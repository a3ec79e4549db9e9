// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as core_v1 from '../core/v1.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Quantity } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** Overhead structure represents the resource overhead associated with running a pod. */
export interface Overhead {
  /** podFixed represents the fixed resource overhead associated with running a pod. */
  podFixed?: Record<string, Quantity> | undefined;
}

/** RuntimeClass defines a class of container runtime supported in the cluster. */
export interface RuntimeClass extends KubeObject<'node.k8s.io/v1', 'RuntimeClass'> {
  /** handler specifies the underlying runtime and configuration that the CRI implementation will use to handle pods of this class. */
  handler: string;
  /** overhead represents the resource overhead associated with running a pod for a given RuntimeClass. */
  overhead?: Overhead | undefined;
  /** scheduling holds the scheduling constraints to ensure that pods running with this RuntimeClass are scheduled to nodes that support it. */
  scheduling?: Scheduling | undefined;
}
export const RuntimeClass: Resource<RuntimeClass> = /* @__PURE__ */ externalResource<RuntimeClass>({ group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass', plural: 'runtimeclasses', scope: 'Cluster' });

/** Scheduling specifies the scheduling constraints for nodes supporting a RuntimeClass. */
export interface Scheduling {
  /** nodeSelector lists labels that must be present on nodes that support this RuntimeClass. */
  nodeSelector?: Record<string, string> | undefined;
  /** tolerations are appended (excluding duplicates) to pods running with this RuntimeClass during admission, effectively unioning the set of nodes tolerated by the pod and the RuntimeClass. */
  tolerations?: core_v1.Toleration[] | undefined;
}
