import { type KubeObject, type Resource, externalResource } from '../../sdk/api/index.ts';
import type { Where } from '../../base/errors/index.ts';
import type { ObjectKey } from '../../sdk/kube/index.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import type { ShownChange } from '../changes/compare-objects.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';

/** An object of a manifest, with its type and its key on the cluster. */
export interface ClusterObject {
  /** The object as the manifest contains it. */
  readonly object: ManifestObject;
  /** Source position of the object in the user's files. */
  readonly where: Where;
  readonly resource: Resource<KubeObject>;
  readonly key: ObjectKey;
  /** False if the server does not serve the type of the object yet, but a CustomResourceDefinition of the same manifest defines it. */
  readonly served: boolean;
  /** Name as kubectl writes it: `deployment.apps/web`. */
  readonly title: string;
}

/** Returns the title of an object, such as `deployment.apps/web`: its kind in lower case, its group, and its name. */
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
  /** Fields of an existing object that the apply would change. Set only in a dry run. */
  readonly changes?: readonly ShownChange[];
  /** Names of field managers that used client-side apply. The apply takes over the fields of these managers. */
  readonly takesOver?: readonly string[];
}

/**
 * Action on an object. `pruned`: deleted because the manifests no longer contain it; `kept`: not deleted because of `--keep-crds`;
 * `not-found`: not deleted because it did not exist.
 */
export type ObjectAction =
  'created' | 'configured' | 'unchanged' | 'pruned' | 'deleted' | 'kept' | 'not-found';

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

/** The fields of a CustomResourceDefinition that determine which types it defines. */
interface CrdSpec {
  readonly group?: unknown;
  readonly scope?: unknown;
  readonly names?: { readonly kind?: unknown; readonly plural?: unknown };
  readonly versions?: readonly { readonly name?: unknown; readonly served?: unknown }[];
}

export function isCrd({ apiVersion, kind }: Pick<ManifestObject, 'apiVersion' | 'kind'>): boolean {
  return kind === 'CustomResourceDefinition' && groupOf(apiVersion) === 'apiextensions.k8s.io';
}

/**
 * Returns the types that the server serves for a CustomResourceDefinition. The result is empty if the definition is malformed, because the
 * server itself then reports the error in the definition.
 */
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

/** Maximum number of names in a message. The message gives only the count of further names. */
export const shownNames = 20;

/** Joins at most {@link shownNames} names, and adds the number of the names that are left out. */
export function someNames(names: readonly string[], separator = ', '): string {
  const more = names.length - shownNames;
  return `${names.slice(0, shownNames).join(separator)}${more > 0 ? `, and ${more} more` : ''}`;
}

const copiedFrom = 'olm.copiedFrom';

/** Label selector for ClusterServiceVersions that are not copies made by OLM. */
export const notCopied = `!${copiedFrom}`;

/**
 * Returns true for a ClusterServiceVersion that OLM copied into another namespace that its operator watches. OLM deletes such a copy
 * together with the original.
 */
export function isCopiedByOlm({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.labels?.[copiedFrom] !== undefined;
}

/**
 * Order in which kinds are applied. Kinds on which other kinds depend come first. Kinds that are not listed, such as custom kinds, come
 * before the admission webhooks. Webhooks come last. Otherwise the API server would call them before their operator runs.
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
  // A custom kind may have the name of a built-in one, such as Service, so check the group too.
  const isBuiltIn = group === '' || !group.includes('.') || group.endsWith('.k8s.io');
  return (isBuiltIn ? ranks.get(kind) : undefined) ?? kindOrder.length;
}

/** Sorts objects into the order in which they are written. Objects of one kind keep the order of the manifest. */
export function applyOrder(objects: readonly ClusterObject[]): readonly ClusterObject[] {
  // Array.prototype.sort is stable, so objects of one kind keep their order.
  return [...objects].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns true for objects that must exist before all others are applied: Namespaces and CustomResourceDefinitions. */
export function isFoundation({ resource, object }: ClusterObject): boolean {
  return isCrd(object) || (resource.group === '' && resource.kind === 'Namespace');
}

/**
 * Sorts objects into the order in which they are deleted. Custom resources and CustomResourceDefinitions come first, while the operator
 * still runs and can finalize and convert the custom resources. All other objects follow in the reverse of {@link applyOrder}.
 */
export function deleteOrder(objects: readonly ClusterObject[]): readonly ClusterObject[] {
  const reversed = [...applyOrder(objects)].reverse();
  const early = (object: ClusterObject): number =>
    isCrd(object.object) ? 1 : rankOf(object) === kindOrder.length ? 0 : 2;
  return reversed.sort((a, b) => early(a) - early(b));
}
