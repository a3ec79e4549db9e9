import { type KubeObject, type Resource, externalResource } from '../../sdk/api/index.ts';
import type { Where } from '../../base/errors/index.ts';
import type { ObjectKey } from '../../sdk/kube/index.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import type { ShownChange } from '../changes/compare-objects.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';

/** An object of a manifest, and where it lives on the cluster. */
export interface ClusterObject {
  /** Object as it is written: with the namespace it goes to, without one if its kind is cluster-scoped. */
  readonly object: ManifestObject;
  /** The place in the user's files. */
  readonly where: Where;
  readonly resource: Resource<KubeObject>;
  readonly key: ObjectKey;
  /** False if the server does not serve its type yet, but a CustomResourceDefinition of the same manifest defines it. */
  readonly served: boolean;
  /** As kubectl names it: `deployment.apps/web`. */
  readonly title: string;
}

/** `deployment.apps/web`: the kind in lower case, its group, and the name. */
export function titleOf({ kind, group }: Pick<Resource, 'kind' | 'group'>, name: string): string {
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return `${type}/${name}`;
}

export interface ObjectOutcome {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly action: ObjectAction;
  /** In a dry run: the fields of an existing object that would change. */
  readonly changes?: readonly ShownChange[];
  /** The managers of client-side apply whose fields are taken over. */
  readonly takesOver?: readonly string[];
}

/** `pruned`: deleted because it has left the manifests; `not-found`: there was nothing to delete. */
export type ObjectAction = 'created' | 'configured' | 'unchanged' | 'pruned' | 'deleted' | 'not-found';

export function outcomeOf(
  { resource, key }: ClusterObject,
  action: ObjectAction,
  { changes, takesOver = [] }: Pick<ObjectOutcome, 'changes' | 'takesOver'> = {},
): ObjectOutcome {
  const { apiVersion, kind } = resource;
  const { name, namespace } = key;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    action,
    ...(changes === undefined ? {} : { changes }),
    ...(takesOver.length === 0 ? {} : { takesOver }),
  };
}

/** The part of a CustomResourceDefinition that says which types it makes. */
interface CrdSpec {
  readonly group?: unknown;
  readonly scope?: unknown;
  readonly names?: { readonly kind?: unknown; readonly plural?: unknown };
  readonly versions?: readonly { readonly name?: unknown; readonly served?: unknown }[];
}

export function isCrd({ apiVersion, kind }: Pick<ManifestObject, 'apiVersion' | 'kind'>): boolean {
  return kind === 'CustomResourceDefinition' && groupOf(apiVersion) === 'apiextensions.k8s.io';
}

/** Returns the types that the server serves for a CustomResourceDefinition; none if it is malformed, which the server will report. */
export function crdTypes(crd: ManifestObject): readonly Resource<KubeObject>[] {
  const { group, scope, names, versions } = (crd['spec'] ?? {}) as CrdSpec;
  const kind = names?.kind;
  const plural = names?.plural;
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return [];
  if (!Array.isArray(versions)) return [];
  return versions.flatMap(({ name, served }: { readonly name?: unknown; readonly served?: unknown }) =>
    typeof name === 'string' && served === true
      ? [
          externalResource({
            group,
            version: name,
            kind,
            plural,
            scope: scope === 'Namespaced' ? scope : 'Cluster',
          }),
        ]
      : [],
  );
}

/** Maximum number of names in a message; further ones are only counted. */
export const shownNames = 20;

/** The first of many names, and how many there are beside them. */
export function someNames(names: readonly string[], separator = ', '): string {
  const more = names.length - shownNames;
  return `${names.slice(0, shownNames).join(separator)}${more > 0 ? `, and ${more} more` : ''}`;
}

const copiedFrom = 'olm.copiedFrom';

/** Selects the ClusterServiceVersions that OLM has not copied. */
export const notCopied = `!${copiedFrom}`;

/**
 * Returns true for a ClusterServiceVersion that OLM copied into a namespace that its operator watches: the copy is deleted with its source.
 */
export function isCopiedByOlm({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.labels?.[copiedFrom] !== undefined;
}

/**
 * The order in which kinds are written: what others need comes first. Kinds that are not listed, custom ones, come before
 * the admission webhooks at the end, which would be called before their operator runs.
 */
const kindOrder = [
  'Namespace',
  'CustomResourceDefinition',
  'ResourceQuota',
  'LimitRange',
  'PriorityClass',
  'StorageClass',
  'ServiceAccount',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'NetworkPolicy',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'Job',
  'CronJob',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'Ingress',
  'APIService',
] as const;

const lastKinds = [
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
] as const;

const ranks = new Map<string, number>([
  ...kindOrder.map((kind, index) => [kind, index] as const),
  ...lastKinds.map((kind, index) => [kind, kindOrder.length + 1 + index] as const),
]);

function rankOf({ resource }: ClusterObject): number {
  const { group, kind } = resource;
  // A custom kind may be called Service too.
  const isBuiltIn = group === '' || !group.includes('.') || group.endsWith('.k8s.io');
  return (isBuiltIn ? ranks.get(kind) : undefined) ?? kindOrder.length;
}

/** The order in which objects are written; that of the manifest within a kind. */
export function applyOrder(objects: readonly ClusterObject[]): readonly ClusterObject[] {
  // Array.prototype.sort is stable.
  return [...objects].sort((a, b) => rankOf(a) - rankOf(b));
}

/** True for objects that must be there before anything else is written: namespaces and the definitions of kinds. */
export function isFoundation({ resource, object }: ClusterObject): boolean {
  return isCrd(object) || (resource.group === '' && resource.kind === 'Namespace');
}

/**
 * The order in which objects are deleted: custom objects and the definitions of kinds first, while the operator still runs
 * to finish and convert its objects; then the reverse of {@link applyOrder}.
 */
export function deleteOrder(objects: readonly ClusterObject[]): readonly ClusterObject[] {
  const reversed = [...applyOrder(objects)].reverse();
  const early = (object: ClusterObject): number =>
    isCrd(object.object) ? 1 : rankOf(object) === kindOrder.length ? 0 : 2;
  return reversed.sort((a, b) => early(a) - early(b));
}
