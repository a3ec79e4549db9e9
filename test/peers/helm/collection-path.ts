import type { ManifestObject } from '../../../src/kubernetes/yaml/index.ts';

/** Where objects of a kind are created. Kinds of others are not in a new control plane. */
const places: Readonly<Record<string, string>> = {
  Deployment: '/apis/apps/v1/namespaces/NAMESPACE/deployments',
  Pod: '/api/v1/namespaces/NAMESPACE/pods',
  Service: '/api/v1/namespaces/NAMESPACE/services',
  ServiceAccount: '/api/v1/namespaces/NAMESPACE/serviceaccounts',
  ConfigMap: '/api/v1/namespaces/NAMESPACE/configmaps',
  NetworkPolicy: '/apis/networking.k8s.io/v1/namespaces/NAMESPACE/networkpolicies',
  Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/roles',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/rolebindings',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  CustomResourceDefinition: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  ValidatingWebhookConfiguration: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  MutatingWebhookConfiguration: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
};

/** Returns the path of a kind's objects in a namespace. @throws Error for a kind that no chart has */
export function collectionPath({ kind }: ManifestObject, namespace: string): string {
  const place = places[kind];
  if (place === undefined) throw new Error(`no place for ${kind}`);
  return place.replace('NAMESPACE', namespace);
}
