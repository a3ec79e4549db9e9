// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { KubeObject } from '../../../api/meta.ts';
import type { DateTime, Int32 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** ExemptPriorityLevelConfiguration describes the configurable aspects of the handling of exempt requests. */
export interface ExemptPriorityLevelConfiguration {
  /** `lendablePercent` prescribes the fraction of the level's NominalCL that can be borrowed by other priority levels. */
  lendablePercent?: Int32 | undefined;
  /** `nominalConcurrencyShares` (NCS) contributes to the computation of the NominalConcurrencyLimit (NominalCL) of this level. */
  nominalConcurrencyShares?: Int32 | undefined;
}

/** FlowDistinguisherMethod specifies the method of a flow distinguisher. */
export interface FlowDistinguisherMethod {
  /** `type` is the type of flow distinguisher method The supported types are "ByUser" and "ByNamespace". */
  type: string;
}

/** FlowSchema defines the schema of a group of flows. */
export interface FlowSchema extends KubeObject<'flowcontrol.apiserver.k8s.io/v1', 'FlowSchema'> {
  /** `spec` is the specification of the desired behavior of a FlowSchema. */
  spec: FlowSchemaSpec;
  /** `status` is the current status of a FlowSchema. */
  status?: FlowSchemaStatus | undefined;
}
export const FlowSchema: Resource<FlowSchema> = /* @__PURE__ */ externalResource<FlowSchema>({ group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'FlowSchema', plural: 'flowschemas', scope: 'Cluster' });

/** FlowSchemaCondition describes conditions for a FlowSchema. */
export interface FlowSchemaCondition {
  /** `lastTransitionTime` is the last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** `message` is a human-readable message indicating details about last transition. */
  message?: string | undefined;
  /** `reason` is a unique, one-word, CamelCase reason for the condition's last transition. */
  reason?: string | undefined;
  /** `status` is the status of the condition. */
  status?: string | undefined;
  /** `type` is the type of the condition. */
  type: string;
}

/** FlowSchemaSpec describes how the FlowSchema's specification looks like. */
export interface FlowSchemaSpec {
  /** `distinguisherMethod` defines how to compute the flow distinguisher for requests that match this schema. */
  distinguisherMethod?: FlowDistinguisherMethod | undefined;
  /** `matchingPrecedence` is used to choose among the FlowSchemas that match a given request. */
  matchingPrecedence?: Int32 | undefined;
  /** `priorityLevelConfiguration` should reference a PriorityLevelConfiguration in the cluster. */
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  /** `rules` describes which requests will match this flow schema. */
  rules?: PolicyRulesWithSubjects[] | undefined;
}

/** FlowSchemaStatus represents the current state of a FlowSchema. */
export interface FlowSchemaStatus {
  /** `conditions` is a list of the current states of FlowSchema. */
  conditions?: FlowSchemaCondition[] | undefined;
}

/** GroupSubject holds detailed information for group-kind subject. */
export interface GroupSubject {
  /** name is the user group that matches, or "*" to match all user groups. */
  name: string;
}

/** LimitResponse defines how to handle requests that can not be executed right now. */
export interface LimitResponse {
  /** `queuing` holds the configuration parameters for queuing. */
  queuing?: QueuingConfiguration | undefined;
  /** `type` is "Queue" or "Reject". */
  type: string;
}

/** LimitedPriorityLevelConfiguration specifies how to handle requests that are subject to limits. */
export interface LimitedPriorityLevelConfiguration {
  /** `borrowingLimitPercent`, if present, configures a limit on how many seats this priority level can borrow from other priority levels. */
  borrowingLimitPercent?: Int32 | undefined;
  /** `lendablePercent` prescribes the fraction of the level's NominalCL that can be borrowed by other priority levels. */
  lendablePercent?: Int32 | undefined;
  /** `limitResponse` indicates what to do with requests that can not be executed right now */
  limitResponse: LimitResponse;
  /** `nominalConcurrencyShares` (NCS) contributes to the computation of the NominalConcurrencyLimit (NominalCL) of this level. */
  nominalConcurrencyShares?: Int32 | undefined;
}

/** NonResourcePolicyRule is a predicate that matches non-resource requests according to their verb and the target non-resource URL. */
export interface NonResourcePolicyRule {
  /** `nonResourceURLs` is a set of url prefixes that a user should have access to and may not be empty. */
  nonResourceURLs: string[];
  /** `verbs` is a list of matching verbs and may not be empty. */
  verbs: string[];
}

/** PolicyRulesWithSubjects prescribes a test that applies to a request to an apiserver. */
export interface PolicyRulesWithSubjects {
  /** `nonResourceRules` is a list of NonResourcePolicyRules that identify matching requests according to their verb and the target non-resource URL. */
  nonResourceRules?: NonResourcePolicyRule[] | undefined;
  /** `resourceRules` is a slice of ResourcePolicyRules that identify matching requests according to their verb and the target resource. */
  resourceRules?: ResourcePolicyRule[] | undefined;
  /** subjects is the list of normal user, serviceaccount, or group that this rule cares about. */
  subjects: Subject[];
}

/** PriorityLevelConfiguration represents the configuration of a priority level. */
export interface PriorityLevelConfiguration extends KubeObject<'flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration'> {
  /** `spec` is the specification of the desired behavior of a "request-priority". */
  spec: PriorityLevelConfigurationSpec;
  /** `status` is the current status of a "request-priority". */
  status?: PriorityLevelConfigurationStatus | undefined;
}
export const PriorityLevelConfiguration: Resource<PriorityLevelConfiguration> = /* @__PURE__ */ externalResource<PriorityLevelConfiguration>({ group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'PriorityLevelConfiguration', plural: 'prioritylevelconfigurations', scope: 'Cluster' });

/** PriorityLevelConfigurationCondition defines the condition of priority level. */
export interface PriorityLevelConfigurationCondition {
  /** `lastTransitionTime` is the last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** `message` is a human-readable message indicating details about last transition. */
  message?: string | undefined;
  /** `reason` is a unique, one-word, CamelCase reason for the condition's last transition. */
  reason?: string | undefined;
  /** `status` is the status of the condition. */
  status?: string | undefined;
  /** `type` is the type of the condition. */
  type: string;
}

/** PriorityLevelConfigurationReference contains information that points to the "request-priority" being used. */
export interface PriorityLevelConfigurationReference {
  /** `name` is the name of the priority level configuration being referenced Required. */
  name: string;
}

/** PriorityLevelConfigurationSpec specifies the configuration of a priority level. */
export interface PriorityLevelConfigurationSpec {
  /** `exempt` specifies how requests are handled for an exempt priority level. */
  exempt?: ExemptPriorityLevelConfiguration | undefined;
  /** `limited` specifies how requests are handled for a Limited priority level. */
  limited?: LimitedPriorityLevelConfiguration | undefined;
  /** `type` indicates whether this priority level is subject to limitation on request execution. */
  type: string;
}

/** PriorityLevelConfigurationStatus represents the current state of a "request-priority". */
export interface PriorityLevelConfigurationStatus {
  /** `conditions` is the current state of "request-priority". */
  conditions?: PriorityLevelConfigurationCondition[] | undefined;
}

/** QueuingConfiguration holds the configuration parameters for queuing */
export interface QueuingConfiguration {
  /** `handSize` is a small positive number that configures the shuffle sharding of requests into queues. */
  handSize?: Int32 | undefined;
  /** `queueLengthLimit` is the maximum number of requests allowed to be waiting in a given queue of this priority level at a time; excess requests are rejected. */
  queueLengthLimit?: Int32 | undefined;
  /** `queues` is the number of queues for this priority level. */
  queues?: Int32 | undefined;
}

/** ResourcePolicyRule is a predicate that matches some resource requests, testing the request's verb and the target resource. */
export interface ResourcePolicyRule {
  /** `apiGroups` is a list of matching API groups and may not be empty. */
  apiGroups: string[];
  /** `clusterScope` indicates whether to match requests that do not specify a namespace (which happens either because the resource is not namespaced or the request targets all namespaces). */
  clusterScope?: boolean | undefined;
  /** `namespaces` is a list of target namespaces that restricts matches. */
  namespaces?: string[] | undefined;
  /** `resources` is a list of matching resources (i.e., lowercase and plural) with, if desired, subresource. */
  resources: string[];
  /** `verbs` is a list of matching verbs and may not be empty. */
  verbs: string[];
}

/** ServiceAccountSubject holds detailed information for service-account-kind subject. */
export interface ServiceAccountSubject {
  /** `name` is the name of matching ServiceAccount objects, or "*" to match regardless of name. */
  name: string;
  /** `namespace` is the namespace of matching ServiceAccount objects. */
  namespace: string;
}

/** Subject matches the originator of a request, as identified by the request authentication system. */
export interface Subject {
  /** `group` matches based on user group name. */
  group?: GroupSubject | undefined;
  /** `kind` indicates which one of the other fields is non-empty. */
  kind: string;
  /** `serviceAccount` matches ServiceAccounts. */
  serviceAccount?: ServiceAccountSubject | undefined;
  /** `user` matches based on username. */
  user?: UserSubject | undefined;
}

/** UserSubject holds detailed information for user-kind subject. */
export interface UserSubject {
  /** `name` is the username that matches, or "*" to match all usernames. */
  name: string;
}
