import { type Where, type FindingList, formatWhere } from '../../base/errors/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import { isObject, type Json, type JsonObject } from '../objects/index.ts';

/** The identity of a resource in a build. */
export interface ResourceId {
  /** Group of the API; `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  /** Namespace of the resource; `''` if none is given. */
  readonly namespace: string;
}

/** Mapping within an object, and a key of this mapping. */
export interface Holder {
  readonly mapping: JsonObject;
  readonly key: string;
}

/**
 * Fields that share a value. kustomize adds the same YAML node to all fields that get a label or an annotation, so a later change of one of
 * these fields changes all of them. For example, a patch of `metadata.labels` also changes the selectors.
 */
export type SharedText = Holder[];

/** Resource during a build. At any time it belongs to one kustomization, which is the one that is being built. */
export interface Resource {
  /** Current state of the object. */
  object: JsonObject;
  /**
   * Ids that the resource had before each renaming, oldest first, without the present id. Patches, replacements and references of outer
   * kustomizations may refer to the resource by any of these ids.
   */
  readonly previousIds: ResourceId[];
  /** The prefixes that were added to the resource's name, innermost first. */
  readonly prefixes: string[];
  /** The suffixes that were added to the resource's name, innermost first. */
  readonly suffixes: string[];
  /** True for a generated ConfigMap or Secret whose name gets a hash of the content at the end of the build. */
  isHashed: boolean;
  /** Names of the variables whose values are read from the resource. */
  readonly variables: string[];
  /** Labels and annotations that contained a `$` when they were set, because they may refer to a variable. */
  readonly dollars: { readonly path: string; readonly key: string; readonly text: string }[];
  /** Groups of fields that share the value of a label or an annotation. */
  sharedTexts: SharedText[];
  /** Location from which the resource was read, for findings. */
  readonly where: Where;
}

/** Creates the record of a resource that enters a build. */
export function newResource(object: JsonObject, where: Where): Resource {
  return {
    object,
    previousIds: [],
    prefixes: [],
    suffixes: [],
    isHashed: false,
    variables: [],
    dollars: [],
    sharedTexts: [],
    where,
  };
}

/** Returns the present id of a resource. */
export function idOf({ object }: Pick<Resource, 'object'>): ResourceId {
  const apiVersion = text(object['apiVersion']);
  const metadata = object['metadata'];
  const meta = isObject(metadata) ? metadata : {};
  return {
    group: groupOf(apiVersion),
    version: apiVersion.slice(apiVersion.indexOf('/') + 1),
    kind: text(object['kind']),
    name: text(meta['name']),
    namespace: text(meta['namespace']),
  };
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Value that comparisons use as the namespace of cluster-scoped resources. */
const clusterScope = '_non_namespaceable_';

/**
 * Kinds that kustomize 5 treats as cluster-scoped. These are the cluster-scoped kinds of Kubernetes 1.21 in kustomize's embedded schema.
 * All other kinds, including custom ones, are treated as namespaced. Source: kustomize `kyaml/openapi/openapi.go`,
 * precomputedIsNamespaceScoped.
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

/**
 * Returns the namespace of an id for comparisons. The result is `default` if the id has no namespace, and the same constant for all
 * cluster-scoped resources.
 */
export function effectiveNamespace(id: ResourceId): string {
  if (isClusterScoped(id)) return clusterScope;
  return id.namespace === '' ? 'default' : id.namespace;
}

/** Returns true if two ids denote the same resource. */
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
 * Returns the former ids of a resource, oldest first. All of these ids have the present apiVersion, because kustomize remembers only kind,
 * name and namespace.
 */
export function previousIdsOf(resource: Resource): readonly ResourceId[] {
  const { group, version } = idOf(resource);
  return resource.previousIds.map((id) => ({ ...id, group, version }));
}

/** Returns the id with which a resource entered the build. */
export function originalIdOf(resource: Resource): ResourceId {
  return previousIdsOf(resource)[0] ?? idOf(resource);
}

/** Returns all ids of a resource: the former ids, oldest first, then the present id. */
export function allIdsOf(resource: Resource): readonly ResourceId[] {
  return [...previousIdsOf(resource), idOf(resource)];
}

/** Records the present id as a former id. Call it before the name, the namespace or the kind is changed. */
export function rememberId(resource: Resource): void {
  resource.previousIds.push(idOf(resource));
}

/** Formats the id of a resource for messages: `apps/v1 Deployment system/web`. */
export function describeId({ group, version, kind, name, namespace }: ResourceId): string {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return `${apiVersion} ${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Prefix of annotation names that kustomize uses internally during a build. */
export const internalAnnotations = 'internal.config.kubernetes.io/';

/**
 * Returns true if kustomize would store internal annotations on a resource. This is the case if its name gets a hash, or if it had other
 * ids before.
 */
export function hasInternalAnnotations({ isHashed, previousIds }: Resource): boolean {
  return isHashed || previousIds.length > 0;
}

/**
 * Refuses annotations with kustomize's internal prefix that generators, annotations of a kustomization, patches or replacements have set,
 * because kustomize would interpret them.
 */
export function refuseInternalAnnotations(resources: readonly Resource[], findings: FindingList): void {
  for (const resource of resources) {
    const { metadata } = resource.object;
    const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
    for (const key of Object.keys(isObject(annotations) ? annotations : {})) {
      if (!key.startsWith(internalAnnotations)) continue;
      findings.add({
        code: 'kustomize/invalid-resource',
        message: `${describeId(idOf(resource))} is given the annotation ${key}, which kustomize uses internally`,
        where: resource.where,
        fix: ['remove it from the generator, the annotations or the patch that sets it'],
      });
    }
  }
}

/** Returns a text that is equal for two resources exactly if their present ids denote the same resource. */
export function idKey(resource: Resource): string {
  const id = idOf(resource);
  return JSON.stringify([id.group, id.version, id.kind, effectiveNamespace(id), id.name]);
}

/**
 * Finds resources with the same id.
 *
 * @param onDuplicate called for each resource whose id an earlier resource has, with the source location of the first resource and with the
 * duplicate
 */
export function findDuplicates(
  resources: readonly Resource[],
  onDuplicate: (first: string, duplicate: Resource) => void,
): void {
  const known = new Map<string, Resource>();
  for (const resource of resources) {
    const key = idKey(resource);
    const first = known.get(key);
    if (first === undefined) known.set(key, resource);
    else onDuplicate(formatWhere(first.where), resource);
  }
}
