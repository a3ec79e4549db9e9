// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as meta_v1 from '../meta/v1.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** AggregationRule describes how to locate ClusterRoles to aggregate into the ClusterRole */
export interface AggregationRule {
  /** clusterRoleSelectors holds a list of selectors which will be used to find ClusterRoles and create the rules. */
  clusterRoleSelectors?: meta_v1.LabelSelector[] | undefined;
}

/** ClusterRole is a cluster level, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding or ClusterRoleBinding. */
export interface ClusterRole extends KubeObject<'rbac.authorization.k8s.io/v1', 'ClusterRole'> {
  /** aggregationRule is an optional field that describes how to build the Rules for this ClusterRole. */
  aggregationRule?: AggregationRule | undefined;
  /** rules holds all the PolicyRules for this ClusterRole */
  rules?: PolicyRule[] | undefined;
}
export const ClusterRole: Resource<ClusterRole> = /* @__PURE__ */ externalResource<ClusterRole>({ group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', plural: 'clusterroles', scope: 'Cluster' });

/** ClusterRoleBinding references a ClusterRole, but not contain it. */
export interface ClusterRoleBinding extends KubeObject<'rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'> {
  /** roleRef can only reference a ClusterRole in the global namespace. */
  roleRef: RoleRef;
  /** subjects holds references to the objects the role applies to. */
  subjects?: Subject[] | undefined;
}
export const ClusterRoleBinding: Resource<ClusterRoleBinding> = /* @__PURE__ */ externalResource<ClusterRoleBinding>({ group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', scope: 'Cluster' });

/** PolicyRule holds information that describes a policy rule, but does not contain information about who the rule applies to or which namespace the rule applies to. */
export interface PolicyRule {
  /** apiGroups is the name of the APIGroup that contains the resources. */
  apiGroups?: string[] | undefined;
  /** nonResourceURLs is a set of partial urls that a user should have access to. */
  nonResourceURLs?: string[] | undefined;
  /** resourceNames is an optional white list of names that the rule applies to. */
  resourceNames?: string[] | undefined;
  /** resources is a list of resources this rule applies to. */
  resources?: string[] | undefined;
  /** verbs is a list of Verbs that apply to ALL the ResourceKinds contained in this rule. */
  verbs: string[];
}

/** Role is a namespaced, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding. */
export interface Role extends KubeObject<'rbac.authorization.k8s.io/v1', 'Role'> {
  /** rules holds all the PolicyRules for this Role */
  rules?: PolicyRule[] | undefined;
}
export const Role: Resource<Role> = /* @__PURE__ */ externalResource<Role>({ group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role', plural: 'roles', scope: 'Namespaced' });

/** RoleBinding references a role, but does not contain it. */
export interface RoleBinding extends KubeObject<'rbac.authorization.k8s.io/v1', 'RoleBinding'> {
  /** roleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. */
  roleRef: RoleRef;
  /** subjects holds references to the objects the role applies to. */
  subjects?: Subject[] | undefined;
}
export const RoleBinding: Resource<RoleBinding> = /* @__PURE__ */ externalResource<RoleBinding>({ group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'RoleBinding', plural: 'rolebindings', scope: 'Namespaced' });

/** RoleRef contains information that points to the role being used */
export interface RoleRef {
  /** apiGroup is the group for the resource being referenced */
  apiGroup?: string | undefined;
  /** kind is the type of resource being referenced */
  kind: string;
  /** name is the name of resource being referenced */
  name: string;
}

/** Subject contains a reference to the object or user identities a role binding applies to. */
export interface Subject {
  /** apiGroup holds the API group of the referenced subject. */
  apiGroup?: string | undefined;
  /** kind of object being referenced. */
  kind: string;
  /** name of the object being referenced. */
  name: string;
  /** namespace of the referenced object. */
  namespace?: string | undefined;
}
