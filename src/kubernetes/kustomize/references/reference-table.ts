import type { FieldSpec } from '../transform/field-spec.ts';

/** Rule for references: fields that refer by name to resources of the kind `target`. */
export interface ReferenceRule {
  readonly target: { readonly group?: string; readonly version?: string; readonly kind?: string };
  readonly fields: readonly FieldSpec[];
}

/**
 * Fields that refer to each kind of resource, in kustomize's order. kustomize's rule for IngressClass is omitted, because it contains a
 * group that no resource has. Source: kustomize `builtinpluginconsts/namereference.go`.
 */
export const referenceTable: readonly ReferenceRule[] = [
  {
    target: { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' },
    fields: [
      { path: 'spec/storageClassName', kind: 'PersistentVolume' },
      { path: 'spec/storageClassName', kind: 'PersistentVolumeClaim' },
      { path: 'spec/volumeClaimTemplates/spec/storageClassName', kind: 'StatefulSet' },
    ],
  },
  {
    target: { version: 'v1', kind: 'ServiceAccount' },
    fields: [
      ...(['RoleBinding', 'ClusterRoleBinding'] as const).map((kind) => ({
        path: 'subjects',
        ...rbac(kind),
      })),
      ...inPods('spec/serviceAccountName'),
    ],
  },
  { target: rbac('Role'), fields: [{ path: 'roleRef/name', ...rbac('RoleBinding') }] },
  {
    target: rbac('ClusterRole'),
    fields: [
      { path: 'roleRef/name', ...rbac('RoleBinding') },
      { path: 'roleRef/name', ...rbac('ClusterRoleBinding') },
    ],
  },
  {
    target: { version: 'v1', kind: 'ConfigMap' },
    fields: [
      ...inAllTemplates([
        'spec/volumes/configMap/name',
        'spec/containers/env/valueFrom/configMapKeyRef/name',
        'spec/initContainers/env/valueFrom/configMapKeyRef/name',
        'spec/containers/envFrom/configMapRef/name',
        'spec/initContainers/envFrom/configMapRef/name',
        'spec/volumes/projected/sources/configMap/name',
      ]),
      { path: 'spec/configSource/configMap', kind: 'Node' },
      { path: 'rules/resourceNames', kind: 'Role' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
      ingressAnnotation('nginx.ingress.kubernetes.io', 'fastcgi-params-configmap'),
    ],
  },
  {
    target: { version: 'v1', kind: 'Secret' },
    fields: [
      ...inAllTemplates([
        'spec/volumes/secret/secretName',
        'spec/containers/env/valueFrom/secretKeyRef/name',
        'spec/initContainers/env/valueFrom/secretKeyRef/name',
        'spec/containers/envFrom/secretRef/name',
        'spec/initContainers/envFrom/secretRef/name',
        'spec/imagePullSecrets/name',
        'spec/volumes/projected/sources/secret/name',
      ]),
      { path: 'spec/tls/secretName', kind: 'Ingress' },
      ingressAnnotation('ingress.kubernetes.io', 'auth-secret'),
      ingressAnnotation('nginx.ingress.kubernetes.io', 'auth-secret'),
      ingressAnnotation('nginx.ingress.kubernetes.io', 'auth-tls-secret'),
      { path: 'imagePullSecrets/name', kind: 'ServiceAccount' },
      ...['secretName', 'adminSecretName', 'userSecretName', 'secretRef'].map((field) => ({
        path: `parameters/${field}`,
        kind: 'StorageClass',
      })),
      { path: 'rules/resourceNames', kind: 'Role' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
      {
        path: 'spec/template/spec/containers/env/valueFrom/secretKeyRef/name',
        group: 'serving.knative.dev',
        version: 'v1',
        kind: 'Service',
      },
      { path: 'spec/azureFile/secretName', kind: 'PersistentVolume' },
    ],
  },
  {
    target: { version: 'v1', kind: 'Service' },
    fields: [
      { path: 'spec/serviceName', group: 'apps', kind: 'StatefulSet' },
      ...[
        'spec/rules/http/paths/backend/serviceName',
        'spec/backend/serviceName',
        'spec/rules/http/paths/backend/service/name',
        'spec/defaultBackend/service/name',
      ].map((path) => ({ path, kind: 'Ingress' })),
      { path: 'spec/service/name', group: 'apiregistration.k8s.io', kind: 'APIService' },
      ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((kind) => ({
        path: 'webhooks/clientConfig/service',
        group: 'admissionregistration.k8s.io',
        kind,
      })),
    ],
  },
  {
    target: { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' },
    fields: inPods('spec/priorityClassName'),
  },
  {
    target: { version: 'v1', kind: 'PersistentVolume' },
    fields: [
      { path: 'spec/volumeName', kind: 'PersistentVolumeClaim' },
      { path: 'rules/resourceNames', kind: 'ClusterRole' },
    ],
  },
  {
    target: { version: 'v1', kind: 'PersistentVolumeClaim' },
    fields: inPods('spec/volumes/persistentVolumeClaim/claimName'),
  },
  ...['Deployment', 'StatefulSet'].map(scaled),
  {
    target: { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicy' },
    fields: [
      {
        path: 'spec/policyName',
        group: 'admissionregistration.k8s.io',
        kind: 'ValidatingAdmissionPolicyBinding',
      },
    ],
  },
  ...['ReplicaSet', 'ReplicationController'].map(scaled),
];

function rbac<Kind extends string>(kind: Kind): { readonly group: string; readonly kind: Kind } {
  return { group: 'rbac.authorization.k8s.io', kind };
}

function scaled(kind: string): ReferenceRule {
  return {
    target: { kind },
    fields: [{ path: 'spec/scaleTargetRef/name', kind: 'HorizontalPodAutoscaler' }],
  };
}

function ingressAnnotation(domain: string, name: string): FieldSpec {
  return { path: `metadata/annotations/${domain}\\/${name}`, kind: 'Ingress' };
}

/**
 * Returns the paths of a field of pods, for each kind with pods in which kustomize updates references to ServiceAccounts,
 * PersistentVolumeClaims and PriorityClasses.
 */
function inPods(field: string): readonly FieldSpec[] {
  return [
    { path: field, kind: 'Pod' },
    ...['StatefulSet', 'Deployment', 'ReplicationController', 'Job', 'DaemonSet'].map((kind) => ({
      path: `spec/template/${field}`,
      kind,
    })),
    { path: `spec/jobTemplate/spec/template/${field}`, kind: 'CronJob' },
  ];
}

/** Returns the paths of fields of pods, for each kind with pods in which kustomize updates references to ConfigMaps and Secrets. */
function inAllTemplates(fields: readonly string[]): readonly FieldSpec[] {
  return fields.flatMap((field) => [
    { path: field, version: 'v1', kind: 'Pod' },
    { path: `template/${field}`, kind: 'PodTemplate' },
    ...['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet', 'Job'].map((kind) => ({
      path: `spec/template/${field}`,
      kind,
    })),
    { path: `spec/jobTemplate/spec/template/${field}`, kind: 'CronJob' },
  ]);
}
