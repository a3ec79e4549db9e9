import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/**
 * BindingSubject is a user, a group or a ServiceAccount.
 *
 * @cel has(self.namespace) == (self.kind == 'ServiceAccount') : "namespace is required for a ServiceAccount, and not allowed for others"
 */
export interface BindingSubject {
  kind: 'User' | 'Group' | 'ServiceAccount';
  /**
   * @minLength 1
   * @maxLength 253
   */
  name: string;
  /**
   * Namespace of a ServiceAccount.
   *
   * @minLength 1
   * @maxLength 63
   */
  namespace?: string;
}

/**
 * NamespacedGrant is a role in one namespace or in several.
 *
 * @cel has(self.role) != has(self.clusterRole) : "one of role and clusterRole is required"
 * @cel has(self.namespace) != has(self.namespaceSelector) : "one of namespace and namespaceSelector is required"
 */
export interface NamespacedGrant {
  /**
   * Role is the name of a Role of the namespace.
   *
   * @minLength 1
   * @maxLength 253
   */
  role?: string;
  /**
   * ClusterRole is the name of a ClusterRole, which is granted in the namespace alone.
   *
   * @minLength 1
   * @maxLength 253
   */
  clusterRole?: string;
  /**
   * Namespace by its name.
   *
   * @minLength 1
   * @maxLength 63
   */
  namespace?: string;
  /** NamespaceSelector selects namespaces by their labels. An empty one selects all. */
  namespaceSelector?: LabelSelector;
}

/** ClusterGrant is a ClusterRole in all namespaces, and for what is in none. */
export interface ClusterGrant {
  /**
   * ClusterRole is the name of the ClusterRole.
   *
   * @minLength 1
   * @maxLength 253
   */
  clusterRole: string;
}

/**
 * RBACBinding is what some subjects may do.
 *
 * @cel has(self.roleBindings) || has(self.clusterRoleBindings) : "one of roleBindings and clusterRoleBindings is required"
 */
export interface RBACBinding {
  /**
   * Name of the binding, unique in the definition. It is part of the names of the objects.
   *
   * @pattern ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$
   * @maxLength 63
   */
  name: string;
  /**
   * Subjects get the roles.
   *
   * @minItems 1
   * @maxItems 100
   */
  subjects: BindingSubject[];
  /**
   * RoleBindings grant roles in namespaces.
   *
   * @minItems 1
   * @maxItems 50
   */
  roleBindings?: NamespacedGrant[];
  /**
   * ClusterRoleBindings grant ClusterRoles everywhere.
   *
   * @minItems 1
   * @maxItems 50
   */
  clusterRoleBindings?: ClusterGrant[];
}

/** RBACDefinitionSpec says who may do what, and where. */
export interface RBACDefinitionSpec {
  /**
   * RBACBindings are the grants.
   *
   * @maxItems 50
   */
  rbacBindings: ListMap<RBACBinding, 'name'>;
}

/** RBACDefinitionStatus defines the observed state of RBACDefinition. */
export interface RBACDefinitionStatus {
  /** Bindings is the number of RoleBindings and ClusterRoleBindings that exist for the definition. */
  bindings?: Int32;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** RBACDefinition keeps RoleBindings and ClusterRoleBindings. */
export interface RBACDefinition extends CustomResource<'access.example.com/v1alpha1', 'RBACDefinition'> {
  spec: RBACDefinitionSpec;
  status?: RBACDefinitionStatus;
}

export const RBACDefinition = defineResource<RBACDefinition>({
  group: 'access.example.com',
  version: 'v1alpha1',
  kind: 'RBACDefinition',
  scope: 'Cluster',
  storage: true,
  printerColumns: [
    { name: 'Bindings', type: 'integer', jsonPath: '.status.bindings' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
