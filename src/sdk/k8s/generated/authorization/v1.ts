// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as meta_v1 from '../meta/v1.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** FieldSelectorAttributes indicates a field limited access. */
export interface FieldSelectorAttributes {
  /** rawSelector is the serialization of a field selector that would be included in a query parameter. */
  rawSelector?: string | undefined;
  /** requirements is the parsed interpretation of a field selector. */
  requirements?: meta_v1.FieldSelectorRequirement[] | undefined;
}

/** LabelSelectorAttributes indicates a label limited access. */
export interface LabelSelectorAttributes {
  /** rawSelector is the serialization of a field selector that would be included in a query parameter. */
  rawSelector?: string | undefined;
  /** requirements is the parsed interpretation of a label selector. */
  requirements?: meta_v1.LabelSelectorRequirement[] | undefined;
}

/** LocalSubjectAccessReview checks whether or not a user or group can perform an action in a given namespace. */
export interface LocalSubjectAccessReview extends KubeObject<'authorization.k8s.io/v1', 'LocalSubjectAccessReview'> {
  /** spec holds information about the request being evaluated. */
  spec: SubjectAccessReviewSpec;
  /** status is filled in by the server and indicates whether the request is allowed or not */
  status?: SubjectAccessReviewStatus | undefined;
}
export const LocalSubjectAccessReview: Resource<LocalSubjectAccessReview> = /* @__PURE__ */ externalResource<LocalSubjectAccessReview>({ group: 'authorization.k8s.io', version: 'v1', kind: 'LocalSubjectAccessReview', plural: 'localsubjectaccessreviews', scope: 'Namespaced' });

/** NonResourceAttributes includes the authorization attributes available for non-resource requests to the Authorizer interface */
export interface NonResourceAttributes {
  /** path is the URL path of the request */
  path?: string | undefined;
  /** verb is the standard HTTP verb */
  verb?: string | undefined;
}

/** NonResourceRule holds information that describes a rule for the non-resource */
export interface NonResourceRule {
  /** nonResourceURLs is a set of partial urls that a user should have access to. */
  nonResourceURLs?: string[] | undefined;
  /** verbs is a list of kubernetes non-resource API verbs, like: get, post, put, delete, patch, head, options. */
  verbs: string[];
}

/** ResourceAttributes includes the authorization attributes available for resource requests to the Authorizer interface */
export interface ResourceAttributes {
  /** fieldSelector describes the limitation on access based on field. */
  fieldSelector?: FieldSelectorAttributes | undefined;
  /** group is the API Group of the Resource. */
  group?: string | undefined;
  /** labelSelector describes the limitation on access based on labels. */
  labelSelector?: LabelSelectorAttributes | undefined;
  /** name is the name of the resource being requested for a "get" or deleted for a "delete". */
  name?: string | undefined;
  /** namespace is the namespace of the action being requested. */
  namespace?: string | undefined;
  /** resource is one of the existing resource types. */
  resource?: string | undefined;
  /** subresource is one of the existing resource types. */
  subresource?: string | undefined;
  /** verb is a kubernetes resource API verb, like: get, list, watch, create, update, delete, proxy. */
  verb?: string | undefined;
  /** version is the API Version of the Resource. */
  version?: string | undefined;
}

/** ResourceRule is the list of actions the subject is allowed to perform on resources. */
export interface ResourceRule {
  /** apiGroups is the name of the APIGroup that contains the resources. */
  apiGroups?: string[] | undefined;
  /** resourceNames is an optional white list of names that the rule applies to. */
  resourceNames?: string[] | undefined;
  /** resources is a list of resources this rule applies to. */
  resources?: string[] | undefined;
  /** verbs is a list of kubernetes resource API verbs, like: get, list, watch, create, update, delete, proxy. */
  verbs: string[];
}

/** SelfSubjectAccessReview checks whether or the current user can perform an action. */
export interface SelfSubjectAccessReview extends KubeObject<'authorization.k8s.io/v1', 'SelfSubjectAccessReview'> {
  /** spec holds information about the request being evaluated. */
  spec: SelfSubjectAccessReviewSpec;
  /** status is filled in by the server and indicates whether the request is allowed or not */
  status?: SubjectAccessReviewStatus | undefined;
}
export const SelfSubjectAccessReview: Resource<SelfSubjectAccessReview> = /* @__PURE__ */ externalResource<SelfSubjectAccessReview>({ group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectAccessReview', plural: 'selfsubjectaccessreviews', scope: 'Cluster' });

/** SelfSubjectAccessReviewSpec is a description of the access request. */
export interface SelfSubjectAccessReviewSpec {
  /** nonResourceAttributes describes information for a non-resource access request */
  nonResourceAttributes?: NonResourceAttributes | undefined;
  /** resourceAttributes describes information for a resource access request */
  resourceAttributes?: ResourceAttributes | undefined;
}

/** SelfSubjectRulesReview enumerates the set of actions the current user can perform within a namespace. */
export interface SelfSubjectRulesReview extends KubeObject<'authorization.k8s.io/v1', 'SelfSubjectRulesReview'> {
  /** spec holds information about the request being evaluated. */
  spec: SelfSubjectRulesReviewSpec;
  /** status is filled in by the server and indicates the set of actions a user can perform. */
  status?: SubjectRulesReviewStatus | undefined;
}
export const SelfSubjectRulesReview: Resource<SelfSubjectRulesReview> = /* @__PURE__ */ externalResource<SelfSubjectRulesReview>({ group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectRulesReview', plural: 'selfsubjectrulesreviews', scope: 'Cluster' });

/** SelfSubjectRulesReviewSpec defines the specification for SelfSubjectRulesReview. */
export interface SelfSubjectRulesReviewSpec {
  /** namespace to evaluate rules for. */
  namespace?: string | undefined;
}

/** SubjectAccessReview checks whether or not a user or group can perform an action. */
export interface SubjectAccessReview extends KubeObject<'authorization.k8s.io/v1', 'SubjectAccessReview'> {
  /** spec holds information about the request being evaluated */
  spec: SubjectAccessReviewSpec;
  /** status is filled in by the server and indicates whether the request is allowed or not */
  status?: SubjectAccessReviewStatus | undefined;
}
export const SubjectAccessReview: Resource<SubjectAccessReview> = /* @__PURE__ */ externalResource<SubjectAccessReview>({ group: 'authorization.k8s.io', version: 'v1', kind: 'SubjectAccessReview', plural: 'subjectaccessreviews', scope: 'Cluster' });

/** SubjectAccessReviewSpec is a description of the access request. */
export interface SubjectAccessReviewSpec {
  /** extra corresponds to the user.Info.GetExtra() method from the authenticator. */
  extra?: Record<string, string[]> | undefined;
  /** groups is the groups you're testing for. */
  groups?: string[] | undefined;
  /** nonResourceAttributes describes information for a non-resource access request */
  nonResourceAttributes?: NonResourceAttributes | undefined;
  /** resourceAttributes describes information for a resource access request */
  resourceAttributes?: ResourceAttributes | undefined;
  /** uid information about the requesting user. */
  uid?: string | undefined;
  /** user is the user you're testing for. */
  user?: string | undefined;
}

/** SubjectAccessReviewStatus */
export interface SubjectAccessReviewStatus {
  /** allowed is required. */
  allowed: boolean;
  /** denied is optional. */
  denied?: boolean | undefined;
  /** evaluationError is an indication that some error occurred during the authorization check. */
  evaluationError?: string | undefined;
  /** reason is optional. */
  reason?: string | undefined;
}

/** SubjectRulesReviewStatus contains the result of a rules check. */
export interface SubjectRulesReviewStatus {
  /** evaluationError can appear in combination with Rules. */
  evaluationError?: string | undefined;
  /** incomplete is true when the rules returned by this call are incomplete. */
  incomplete: boolean;
  /** nonResourceRules is the list of actions the subject is allowed to perform on non-resources. */
  nonResourceRules: NonResourceRule[];
  /** resourceRules is the list of actions the subject is allowed to perform on resources. */
  resourceRules: ResourceRule[];
}
