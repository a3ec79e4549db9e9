import { propertiesOf, type Schema } from './schema-node.ts';

/** The fields of references and selectors that Kubernetes' own kinds treat as one value, although they did not always. */
export const atomicReferences: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.autoscaling.v1.CrossVersionObjectReference': ['apiVersion', 'kind', 'name'],
  'io.k8s.api.core.v1.ConfigMapKeySelector': ['key', 'name', 'optional'],
  'io.k8s.api.core.v1.FileKeySelector': ['key', 'optional', 'path', 'volumeName'],
  'io.k8s.api.core.v1.LocalObjectReference': ['name'],
  'io.k8s.api.core.v1.NodeSelector': ['nodeSelectorTerms'],
  'io.k8s.api.core.v1.NodeSelectorTerm': ['matchExpressions', 'matchFields'],
  'io.k8s.api.core.v1.ObjectFieldSelector': ['apiVersion', 'fieldPath'],
  'io.k8s.api.core.v1.ObjectReference': [
    ...['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'],
  ],
  'io.k8s.api.core.v1.ResourceFieldSelector': ['containerName', 'divisor', 'resource'],
  'io.k8s.api.core.v1.ScopeSelector': ['matchExpressions'],
  'io.k8s.api.core.v1.SecretReference': ['name', 'namespace'],
  'io.k8s.api.core.v1.TopologySelectorTerm': ['matchLabelExpressions'],
  'io.k8s.api.core.v1.TypedLocalObjectReference': ['apiGroup', 'kind', 'name'],
  'io.k8s.api.networking.v1.ServiceBackendPort': ['name', 'number'],
  'io.k8s.api.rbac.v1.Subject': ['apiGroup', 'kind', 'name', 'namespace'],
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector': ['matchExpressions', 'matchLabels'],
  'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference': [
    ...['apiVersion', 'blockOwnerDeletion', 'controller', 'kind', 'name', 'uid'],
  ],
};

const known: ReadonlySet<string> = new Set(Object.values(atomicReferences).map((fields) => fields.join()));

/** Whether an object has exactly the fields of a reference or a selector of Kubernetes. */
export function isKubernetesReference(schema: Schema): boolean {
  const isClosed = schema['additionalProperties'] === undefined;
  return isClosed && known.has(Object.keys(propertiesOf(schema)).sort().join());
}
