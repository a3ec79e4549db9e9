import { idOf, type Resource, type ResourceId } from './resource.ts';

/** The namespace of cluster-scoped resources, for comparisons. */
const clusterScope = '_non_namespaceable_';

/**
 * The kinds that kustomize 5 takes for cluster-scoped: those of Kubernetes 1.21, which its embedded schema has. All others,
 * custom ones included, count as namespaced.
 * Source: kustomize `kyaml/openapi/openapi.go`, precomputedIsNamespaceScoped.
 */
const clusterScoped = new Set(
  Object.entries({
    'admissionregistration.k8s.io/v1': 'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    'admissionregistration.k8s.io/v1beta1': 'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    'apiextensions.k8s.io/v1': 'CustomResourceDefinition',
    'apiextensions.k8s.io/v1beta1': 'CustomResourceDefinition',
    'apiregistration.k8s.io/v1': 'APIService',
    'apiregistration.k8s.io/v1beta1': 'APIService',
    'certificates.k8s.io/v1': 'CertificateSigningRequest',
    'certificates.k8s.io/v1beta1': 'CertificateSigningRequest',
    'flowcontrol.apiserver.k8s.io/v1beta1': 'FlowSchema PriorityLevelConfiguration',
    'networking.k8s.io/v1': 'IngressClass',
    'networking.k8s.io/v1beta1': 'IngressClass',
    'node.k8s.io/v1': 'RuntimeClass',
    'node.k8s.io/v1beta1': 'RuntimeClass',
    'policy/v1beta1': 'PodSecurityPolicy',
    'rbac.authorization.k8s.io/v1': 'ClusterRole ClusterRoleBinding',
    'rbac.authorization.k8s.io/v1beta1': 'ClusterRole ClusterRoleBinding',
    'scheduling.k8s.io/v1': 'PriorityClass',
    'scheduling.k8s.io/v1beta1': 'PriorityClass',
    'storage.k8s.io/v1': 'CSIDriver CSINode StorageClass VolumeAttachment',
    'storage.k8s.io/v1beta1': 'CSIDriver CSINode StorageClass VolumeAttachment',
    v1: 'ComponentStatus Namespace Node NodeProxyOptions PersistentVolume',
  }).flatMap(([apiVersion, kinds]) => kinds.split(' ').map((kind) => `${apiVersion} ${kind}`)),
);

/** Returns true if kustomize treats the kind as cluster-scoped. */
export function isClusterScoped({ group, version, kind }: Omit<ResourceId, 'name' | 'namespace'>): boolean {
  return clusterScoped.has(`${group === '' ? version : `${group}/${version}`} ${kind}`);
}

/** The namespace for comparisons: `default` if none is given, the same for all cluster-scoped resources. */
export function effectiveNamespace(id: ResourceId): string {
  if (isClusterScoped(id)) return clusterScope;
  return id.namespace === '' ? 'default' : id.namespace;
}

/** Returns true if two ids name the same resource. */
export function sameId(a: ResourceId, b: ResourceId): boolean {
  return (
    a.name === b.name &&
    a.kind === b.kind &&
    a.group === b.group &&
    a.version === b.version &&
    effectiveNamespace(a) === effectiveNamespace(b)
  );
}

/**
 * The ids that a resource had before, oldest first. A change of its apiVersion changes them, too: kustomize remembers only
 * kind, name and namespace.
 */
export function previousIdsOf(resource: Resource): readonly ResourceId[] {
  const { group, version } = idOf(resource);
  return resource.previousIds.map((id) => ({ ...id, group, version }));
}

/** The id with which a resource entered the build. */
export function originalIdOf(resource: Resource): ResourceId {
  return previousIdsOf(resource)[0] ?? idOf(resource);
}

/** Every id of a resource, the present one last. */
export function allIdsOf(resource: Resource): readonly ResourceId[] {
  return [...previousIdsOf(resource), idOf(resource)];
}

/** Notes the present id, before a change of the name, the namespace or the kind. */
export function rememberId(resource: Resource): void {
  resource.previousIds.push(idOf(resource));
}

/** Formats the id of a resource for messages: `apps/v1 Deployment system/web`. */
export function describeId({ group, version, kind, name, namespace }: ResourceId): string {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return `${apiVersion} ${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
