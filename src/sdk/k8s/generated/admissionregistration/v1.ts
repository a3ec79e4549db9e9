// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as meta_v1 from '../meta/v1.ts';
import type { Condition, KubeObject } from '../../../api/meta.ts';
import type { Base64, Int32, Int64 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** ApplyConfiguration defines the desired configuration values of an object. */
export interface ApplyConfiguration {
  /** expression will be evaluated by CEL to create an apply configuration. */
  expression?: string | undefined;
}

/** AuditAnnotation describes how to produce an audit annotation for an API request. */
export interface AuditAnnotation {
  /** key specifies the audit annotation key. */
  key: string;
  /** valueExpression represents the expression which is evaluated by CEL to produce an audit annotation value. */
  valueExpression: string;
}

/** ExpressionWarning is a warning information that targets a specific expression. */
export interface ExpressionWarning {
  /** fieldRef is the path to the field that refers to the expression. */
  fieldRef: string;
  /** warning contains the content of type checking information in a human-readable form. */
  warning: string;
}

/** JSONPatch defines a JSON Patch. */
export interface JSONPatch {
  /** expression will be evaluated by CEL to create a [JSON patch](https://jsonpatch.com/). */
  expression?: string | undefined;
}

/** MatchCondition represents a condition which must by fulfilled for a request to be sent to a webhook. */
export interface MatchCondition {
  /** expression represents the expression which will be evaluated by CEL. */
  expression: string;
  /** name is an identifier for this match condition, used for strategic merging of MatchConditions, as well as providing an identifier for logging purposes. */
  name: string;
}

/** MatchResources decides whether to run the admission control policy on an object based on whether it meets the match criteria. */
export interface MatchResources {
  /** excludeResourceRules describes what operations on what resources/subresources the ValidatingAdmissionPolicy should not care about. */
  excludeResourceRules?: NamedRuleWithOperations[] | undefined;
  /** matchPolicy defines how the "MatchResources" list is used to match incoming requests. */
  matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  /** namespaceSelector decides whether to run the admission control policy on an object based on whether the namespace for that object matches the selector. */
  namespaceSelector?: meta_v1.LabelSelector | undefined;
  /** objectSelector decides whether to run the validation based on if the object has matching labels. */
  objectSelector?: meta_v1.LabelSelector | undefined;
  /** resourceRules describes what operations on what resources/subresources the ValidatingAdmissionPolicy matches. */
  resourceRules?: NamedRuleWithOperations[] | undefined;
}

/** MutatingAdmissionPolicy describes the definition of an admission mutation policy that mutates the object coming into admission chain. */
export interface MutatingAdmissionPolicy extends KubeObject<'admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy'> {
  /** spec defines the desired behavior of the MutatingAdmissionPolicy. */
  spec?: MutatingAdmissionPolicySpec | undefined;
}
export const MutatingAdmissionPolicy: Resource<MutatingAdmissionPolicy> = /* @__PURE__ */ externalResource<MutatingAdmissionPolicy>({ group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingAdmissionPolicy', plural: 'mutatingadmissionpolicies', scope: 'Cluster' });

/** MutatingAdmissionPolicyBinding binds the MutatingAdmissionPolicy with parametrized resources. */
export interface MutatingAdmissionPolicyBinding extends KubeObject<'admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicyBinding'> {
  /** spec defines the desired behavior of the MutatingAdmissionPolicyBinding. */
  spec?: MutatingAdmissionPolicyBindingSpec | undefined;
}
export const MutatingAdmissionPolicyBinding: Resource<MutatingAdmissionPolicyBinding> = /* @__PURE__ */ externalResource<MutatingAdmissionPolicyBinding>({ group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingAdmissionPolicyBinding', plural: 'mutatingadmissionpolicybindings', scope: 'Cluster' });

/** MutatingAdmissionPolicyBindingSpec defines the specification of the MutatingAdmissionPolicyBinding. */
export interface MutatingAdmissionPolicyBindingSpec {
  /** matchResources limits what resources match this binding and may be mutated by it. */
  matchResources?: MatchResources | undefined;
  /** paramRef specifies the parameter resource used to configure the admission control policy. */
  paramRef?: ParamRef | undefined;
  /** policyName references a MutatingAdmissionPolicy name which the MutatingAdmissionPolicyBinding binds to. */
  policyName?: string | undefined;
}

/** MutatingAdmissionPolicySpec defines the desired behavior of the admission policy. */
export interface MutatingAdmissionPolicySpec {
  /** failurePolicy defines how to handle failures for the admission policy. */
  failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** matchConditions is a list of conditions that must be met for a request to be validated. */
  matchConditions?: MatchCondition[] | undefined;
  /** matchConstraints specifies what resources this policy is designed to validate. */
  matchConstraints?: MatchResources | undefined;
  /** mutations contain operations to perform on matching objects. */
  mutations?: Mutation[] | undefined;
  /** paramKind specifies the kind of resources used to parameterize this policy. */
  paramKind?: ParamKind | undefined;
  /** reinvocationPolicy indicates whether mutations may be called multiple times per MutatingAdmissionPolicyBinding as part of a single admission evaluation. */
  reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
  /** variables contain definitions of variables that can be used in composition of other expressions. */
  variables?: Variable[] | undefined;
}

/** MutatingWebhook describes an admission webhook and the resources and operations it applies to. */
export interface MutatingWebhook {
  /** admissionReviewVersions is an ordered list of preferred `AdmissionReview` versions the Webhook expects. */
  admissionReviewVersions: string[];
  /** clientConfig defines how to communicate with the hook. */
  clientConfig: WebhookClientConfig;
  /** failurePolicy defines how unrecognized errors from the admission endpoint are handled - allowed values are Ignore or Fail. */
  failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** matchConditions is a list of conditions that must be met for a request to be sent to this webhook. */
  matchConditions?: MatchCondition[] | undefined;
  /** matchPolicy defines how the "rules" list is used to match incoming requests. */
  matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  /** name is the name of the admission webhook. */
  name: string;
  /** namespaceSelector decides whether to run the webhook on an object based on whether the namespace for that object matches the selector. */
  namespaceSelector?: meta_v1.LabelSelector | undefined;
  /** objectSelector decides whether to run the webhook based on if the object has matching labels. */
  objectSelector?: meta_v1.LabelSelector | undefined;
  /** reinvocationPolicy indicates whether this webhook should be called multiple times as part of a single admission evaluation. */
  reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
  /** rules describes what operations on what resources/subresources the webhook cares about. */
  rules?: RuleWithOperations[] | undefined;
  /** sideEffects states whether this webhook has side effects. */
  sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
  /** timeoutSeconds specifies the timeout for this webhook. */
  timeoutSeconds?: Int32 | undefined;
}

/** MutatingWebhookConfiguration describes the configuration of and admission webhook that accept or reject and may change the object. */
export interface MutatingWebhookConfiguration extends KubeObject<'admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'> {
  /** webhooks is a list of webhooks and the affected resources and operations. */
  webhooks?: MutatingWebhook[] | undefined;
}
export const MutatingWebhookConfiguration: Resource<MutatingWebhookConfiguration> = /* @__PURE__ */ externalResource<MutatingWebhookConfiguration>({ group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations', scope: 'Cluster' });

/** Mutation specifies the CEL expression which is used to apply the Mutation. */
export interface Mutation {
  /** applyConfiguration defines the desired configuration values of an object. */
  applyConfiguration?: ApplyConfiguration | undefined;
  /** jsonPatch defines a [JSON patch](https://jsonpatch.com/) operation to perform a mutation to the object. */
  jsonPatch?: JSONPatch | undefined;
  /** patchType indicates the patch strategy used. */
  patchType: 'ApplyConfiguration' | 'JSONPatch';
}

/** NamedRuleWithOperations is a tuple of Operations and Resources with ResourceNames. */
export interface NamedRuleWithOperations {
  /** apiGroups is the API groups the resources belong to. */
  apiGroups?: string[] | undefined;
  /** apiVersions is the API versions the resources belong to. */
  apiVersions?: string[] | undefined;
  /** operations is the operations the admission hook cares about - CREATE, UPDATE, DELETE, CONNECT or * for all of those operations and any future admission operations that are added. */
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[] | undefined;
  /** resourceNames is an optional white list of names that the rule applies to. */
  resourceNames?: string[] | undefined;
  /** resources is a list of resources this rule applies to. */
  resources?: string[] | undefined;
  /** scope specifies the scope of this rule. */
  scope?: '*' | 'Cluster' | 'Namespaced' | undefined;
}

/** ParamKind is a tuple of Group Kind and Version. */
export interface ParamKind {
  /** apiVersion is the API group version the resources belong to. */
  apiVersion?: string | undefined;
  /** kind is the API kind the resources belong to. */
  kind?: string | undefined;
}

/** ParamRef describes how to locate the params to be used as input to expressions of rules applied by a policy binding. */
export interface ParamRef {
  /** name is the name of the resource being referenced. */
  name?: string | undefined;
  /** namespace is the namespace of the referenced resource. */
  namespace?: string | undefined;
  /** parameterNotFoundAction controls the behavior of the binding when the resource exists, and name or selector is valid, but there are no parameters matched by the binding. */
  parameterNotFoundAction?: string | undefined;
  /** selector can be used to match multiple param objects based on their labels. */
  selector?: meta_v1.LabelSelector | undefined;
}

/** RuleWithOperations is a tuple of Operations and Resources. */
export interface RuleWithOperations {
  /** apiGroups is the API groups the resources belong to. */
  apiGroups?: string[] | undefined;
  /** apiVersions is the API versions the resources belong to. */
  apiVersions?: string[] | undefined;
  /** operations is the operations the admission hook cares about - CREATE, UPDATE, DELETE, CONNECT or * for all of those operations and any future admission operations that are added. */
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[] | undefined;
  /** resources is a list of resources this rule applies to. */
  resources?: string[] | undefined;
  /** scope specifies the scope of this rule. */
  scope?: '*' | 'Cluster' | 'Namespaced' | undefined;
}

/** ServiceReference holds a reference to Service.legacy.k8s.io */
export interface ServiceReference {
  /** name is the name of the service. */
  name: string;
  /** namespace is the namespace of the service. */
  namespace: string;
  /** path is an optional URL path which will be sent in any request to this service. */
  path?: string | undefined;
  /** port is the port on the service that hosts the webhook. */
  port?: Int32 | undefined;
}

/** TypeChecking contains results of type checking the expressions in the ValidatingAdmissionPolicy */
export interface TypeChecking {
  /** expressionWarnings contains the type checking warnings for each expression. */
  expressionWarnings?: ExpressionWarning[] | undefined;
}

/** ValidatingAdmissionPolicy describes the definition of an admission validation policy that accepts or rejects an object without changing it. */
export interface ValidatingAdmissionPolicy extends KubeObject<'admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'> {
  /** spec defines the desired behavior of the ValidatingAdmissionPolicy. */
  spec?: ValidatingAdmissionPolicySpec | undefined;
  /** status represents the current status of the ValidatingAdmissionPolicy, including warnings that are useful to determine if the policy behaves in the expected way. */
  status?: ValidatingAdmissionPolicyStatus | undefined;
}
export const ValidatingAdmissionPolicy: Resource<ValidatingAdmissionPolicy> = /* @__PURE__ */ externalResource<ValidatingAdmissionPolicy>({ group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies', scope: 'Cluster' });

/** ValidatingAdmissionPolicyBinding binds the ValidatingAdmissionPolicy with paramerized resources. */
export interface ValidatingAdmissionPolicyBinding extends KubeObject<'admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding'> {
  /** spec defines the desired behavior of the ValidatingAdmissionPolicyBinding. */
  spec: ValidatingAdmissionPolicyBindingSpec;
}
export const ValidatingAdmissionPolicyBinding: Resource<ValidatingAdmissionPolicyBinding> = /* @__PURE__ */ externalResource<ValidatingAdmissionPolicyBinding>({ group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings', scope: 'Cluster' });

/** ValidatingAdmissionPolicyBindingSpec is the specification of the ValidatingAdmissionPolicyBinding. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** matchResources declares what resources match this binding and will be validated by it. */
  matchResources?: MatchResources | undefined;
  /** paramRef specifies the parameter resource used to configure the admission control policy. */
  paramRef?: ParamRef | undefined;
  /** policyName references a ValidatingAdmissionPolicy name which the ValidatingAdmissionPolicyBinding binds to. */
  policyName: string;
  /** validationActions declares how Validations of the referenced ValidatingAdmissionPolicy are enforced. */
  validationActions: ('Audit' | 'Deny' | 'Warn')[];
}

/** ValidatingAdmissionPolicySpec is the specification of the desired behavior of the AdmissionPolicy. */
export interface ValidatingAdmissionPolicySpec {
  /** auditAnnotations contains CEL expressions which are used to produce audit annotations for the audit event of the API request. */
  auditAnnotations?: AuditAnnotation[] | undefined;
  /** failurePolicy defines how to handle failures for the admission policy. */
  failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** matchConditions is a list of conditions that must be met for a request to be validated. */
  matchConditions?: MatchCondition[] | undefined;
  /** matchConstraints specifies what resources this policy is designed to validate. */
  matchConstraints?: MatchResources | undefined;
  /** paramKind specifies the kind of resources used to parameterize this policy. */
  paramKind?: ParamKind | undefined;
  /** validations contain CEL expressions which is used to apply the validation. */
  validations?: Validation[] | undefined;
  /** variables contain definitions of variables that can be used in composition of other expressions. */
  variables?: Variable[] | undefined;
}

/** ValidatingAdmissionPolicyStatus represents the status of an admission validation policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** conditions represent the latest available observations of a policy's current state. */
  conditions?: Condition[] | undefined;
  /** observedGeneration is the generation observed by the controller. */
  observedGeneration?: Int64 | undefined;
  /** typeChecking contains the results of type checking for each expression. */
  typeChecking?: TypeChecking | undefined;
}

/** ValidatingWebhook describes an admission webhook and the resources and operations it applies to. */
export interface ValidatingWebhook {
  /** admissionReviewVersions is an ordered list of preferred `AdmissionReview` versions the Webhook expects. */
  admissionReviewVersions: string[];
  /** clientConfig defines how to communicate with the hook. */
  clientConfig: WebhookClientConfig;
  /** failurePolicy defines how unrecognized errors from the admission endpoint are handled - allowed values are Ignore or Fail. */
  failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** matchConditions is a list of conditions that must be met for a request to be sent to this webhook. */
  matchConditions?: MatchCondition[] | undefined;
  /** matchPolicy defines how the "rules" list is used to match incoming requests. */
  matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  /** name is the name of the admission webhook. */
  name: string;
  /** namespaceSelector decides whether to run the webhook on an object based on whether the namespace for that object matches the selector. */
  namespaceSelector?: meta_v1.LabelSelector | undefined;
  /** objectSelector decides whether to run the webhook based on if the object has matching labels. */
  objectSelector?: meta_v1.LabelSelector | undefined;
  /** rules describes what operations on what resources/subresources the webhook cares about. */
  rules?: RuleWithOperations[] | undefined;
  /** sideEffects states whether this webhook has side effects. */
  sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
  /** timeoutSeconds specifies the timeout for this webhook. */
  timeoutSeconds?: Int32 | undefined;
}

/** ValidatingWebhookConfiguration describes the configuration of and admission webhook that accept or reject and object without changing it. */
export interface ValidatingWebhookConfiguration extends KubeObject<'admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'> {
  /** webhooks is a list of webhooks and the affected resources and operations. */
  webhooks?: ValidatingWebhook[] | undefined;
}
export const ValidatingWebhookConfiguration: Resource<ValidatingWebhookConfiguration> = /* @__PURE__ */ externalResource<ValidatingWebhookConfiguration>({ group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration', plural: 'validatingwebhookconfigurations', scope: 'Cluster' });

/** Validation specifies the CEL expression which is used to apply the validation. */
export interface Validation {
  /** expression represents the expression which will be evaluated by CEL. */
  expression: string;
  /** message represents the message displayed when validation fails. */
  message?: string | undefined;
  /** messageExpression declares a CEL expression that evaluates to the validation failure message that is returned when this rule fails. */
  messageExpression?: string | undefined;
  /** reason represents a machine-readable description of why this validation failed. */
  reason?: string | undefined;
}

/** Variable is the definition of a variable that is used for composition. */
export interface Variable {
  /** expression is the expression that will be evaluated as the value of the variable. */
  expression: string;
  /** name is the name of the variable. */
  name: string;
}

/** WebhookClientConfig contains the information to make a TLS connection with the webhook */
export interface WebhookClientConfig {
  /** caBundle is a PEM encoded CA bundle which will be used to validate the webhook's server certificate. */
  caBundle?: Base64 | undefined;
  /** service is a reference to the service for this webhook. */
  service?: ServiceReference | undefined;
  /** url gives the location of the webhook, in standard URL form (`scheme://host:port/path`). */
  url?: string | undefined;
}
