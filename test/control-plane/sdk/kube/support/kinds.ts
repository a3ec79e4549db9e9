import { externalResource, type KubeObject } from '../../../../../src/sdk/api/index.ts';

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}
export const ConfigMap = externalResource<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
export const Namespace = externalResource({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});
export const Crd = externalResource<KubeObject & { spec: object }>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});
export const Gizmo = externalResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Gizmo',
  plural: 'gizmos',
  scope: 'Namespaced',
});

export const PriorityLevel = externalResource<KubeObject & { spec: object }>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  scope: 'Cluster',
});
export const FlowSchema = externalResource<KubeObject & { spec: object }>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  scope: 'Cluster',
});
export const ClusterRoleBinding = externalResource<KubeObject & { roleRef: object; subjects: object[] }>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  scope: 'Cluster',
});
export const ServiceAccount = externalResource({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
});
export interface Deployment extends KubeObject {
  spec: { replicas?: number; selector: object; template: object };
}
export const Deployment = externalResource<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});
export interface Pod extends KubeObject {
  spec: { containers: { name: string; image: string }[] };
  status?: { message?: string; reason?: string };
}
export const Pod = externalResource<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
});
