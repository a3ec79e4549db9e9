import { tableNameOfKind, tableSchema } from '../../tables/index.ts';

type TableSchema = NonNullable<ReturnType<typeof tableSchema>>;

/** Schema that determines how a value is merged; undefined if kustomize has no schema for the value. */
export type MergeSchema = TableSchema | undefined;

/**
 * Kinds that were added after Kubernetes 1.21, whose schemas kustomize embeds. kustomize replaces all lists of these kinds, as it does for
 * custom resources.
 */
const newerKinds = new Set(
  Object.entries({
    'admissionregistration.k8s.io/v1':
      'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding',
    'authentication.k8s.io/v1': 'SelfSubjectReview',
    'autoscaling/v2': 'HorizontalPodAutoscaler',
    'flowcontrol.apiserver.k8s.io/v1': 'FlowSchema PriorityLevelConfiguration',
    'networking.k8s.io/v1': 'IPAddress ServiceCIDR',
    'resource.k8s.io/v1': 'DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice',
    'storage.k8s.io/v1': 'CSIStorageCapacity VolumeAttributesClass',
  }).flatMap(([apiVersion, kinds]) => kinds.split(' ').map((kind) => `${apiVersion} ${kind}`)),
);

/**
 * Lists that Kubernetes merges today, but that kustomize replaces. Its schemas are those of Kubernetes 1.21, which did not merge these
 * lists or did not have them.
 */
const newerLists = new Set([
  'io.k8s.api.admissionregistration.v1.MutatingWebhook matchConditions',
  'io.k8s.api.admissionregistration.v1.ValidatingWebhook matchConditions',
  'io.k8s.api.core.v1.ContainerStatus allocatedResourcesStatus',
  'io.k8s.api.core.v1.ContainerStatus volumeMounts',
  'io.k8s.api.core.v1.EphemeralContainer ports',
  'io.k8s.api.core.v1.PodSpec resourceClaims',
  'io.k8s.api.core.v1.PodSpec schedulingGates',
  'io.k8s.api.core.v1.PodStatus hostIPs',
  'io.k8s.api.core.v1.PodStatus resourceClaimStatuses',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps x-kubernetes-validations',
]);

/**
 * Maps each kind of an API version that Kubernetes has removed to the API version that serves the kind today. kustomize merges the lists of
 * the kind by the schema of the latter.
 */
const successors = new Map(
  Object.entries({
    'admissionregistration.k8s.io/v1beta1': 'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    'apiregistration.k8s.io/v1beta1': 'APIService',
    'batch/v1beta1': 'CronJob',
    'coordination.k8s.io/v1beta1': 'Lease',
    'extensions/v1beta1': 'Ingress',
    'networking.k8s.io/v1beta1': 'Ingress IngressClass',
    'node.k8s.io/v1beta1': 'RuntimeClass',
    'policy/v1beta1': 'PodDisruptionBudget',
    'rbac.authorization.k8s.io/v1beta1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
    'scheduling.k8s.io/v1beta1': 'PriorityClass',
    'storage.k8s.io/v1beta1': 'CSIDriver CSINode StorageClass',
  }).flatMap(([apiVersion, kinds]) => {
    const served = apiVersion.replace('extensions/', 'networking.k8s.io/').replace('v1beta1', 'v1');
    return kinds.split(' ').map((kind) => [`${apiVersion} ${kind}`, served] as const);
  }),
);

/** Returns the schema of a built-in kind; undefined if kustomize has no schema for the kind. */
export function schemaOfKind(apiVersion: string, kind: string): MergeSchema {
  if (newerKinds.has(`${apiVersion} ${kind}`)) return undefined;
  const name = tableNameOfKind(successors.get(`${apiVersion} ${kind}`) ?? apiVersion, kind);
  return name === undefined ? undefined : named(name);
}

/** Returns the schema of a field or, in a map, the schema of its values. */
export function schemaOfField(schema: MergeSchema, field: string): MergeSchema {
  if (schema === undefined) return undefined;
  const { properties } = schema;
  const own = properties !== undefined && Object.hasOwn(properties, field) ? properties[field] : undefined;
  if (own !== undefined && newerLists.has(`${nameOf.get(schema) ?? ''} ${field}`)) return { type: 'array' };
  return resolved(own ?? schema.additionalProperties);
}

/** Returns the schema of the items of a list. */
export function schemaOfItems(schema: MergeSchema): MergeSchema {
  return schema?.type === 'array' ? resolved(schema.items) : undefined;
}

/**
 * Returns the fields that identify the items of a list in a merge. The result is empty for a list that is merged as a set, and undefined
 * for a list that is replaced.
 */
export function mergeKeysOf(schema: MergeSchema): readonly string[] | undefined {
  const strategies = schema?.['x-kubernetes-patch-strategy']?.split(',') ?? [];
  if (!strategies.includes('merge')) return undefined;
  const key = schema?.['x-kubernetes-patch-merge-key'];
  return schema?.['x-kubernetes-list-map-keys'] ?? (key === undefined ? [] : [key]);
}

const nameOf = new WeakMap<TableSchema, string>();

function named(name: string): MergeSchema {
  const schema = tableSchema(name);
  if (schema !== undefined) nameOf.set(schema, name);
  return schema;
}

/** Schema of types that the tables do not contain, such as Quantity and IntOrString, whose values are texts or numbers. */
const untyped: TableSchema = {};

function resolved(schema: MergeSchema): MergeSchema {
  return schema?.$ref === undefined ? schema : (named(schema.$ref) ?? untyped);
}
