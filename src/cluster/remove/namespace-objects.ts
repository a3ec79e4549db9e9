import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import {
  ApiError,
  isNotFound,
  isTypeNotServed,
  type ApiDirectory,
  type KubeClient,
  type ServedType,
  resourcePath,
  keyText,
} from '../../sdk/kube/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { titleOf, type ClusterObject, isCrd, isCopiedByOlm, crdTypes } from '../objects/cluster-object.ts';
import { quietClient } from '../clients.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import type { DeletionImpact, BlockedByFinalizer } from './deletion-impact.ts';

interface NamespaceObjectsOptions {
  /** The objects of the manifest. */
  readonly named: readonly ClusterObject[];
  /** All that the server serves. */
  readonly directory: ApiDirectory;
  readonly signal?: AbortSignal | undefined;
}

/** Types whose objects record what happens, and are made again: `<group>/<kind>`. */
const records = new Set(['/Event', 'events.k8s.io/Event', 'coordination.k8s.io/Lease']);

/** Objects that clusters themselves put into each namespace. */
const ofTheCluster = new Set([
  'serviceaccount/default',
  'configmap/kube-root-ca.crt',
  'configmap/openshift-service-ca.crt',
  'configmap/istio-ca-root-cert',
  'serviceaccount/builder',
  'serviceaccount/deployer',
  'rolebinding.rbac.authorization.k8s.io/system:deployers',
  'rolebinding.rbac.authorization.k8s.io/system:image-builders',
  'rolebinding.rbac.authorization.k8s.io/system:image-pullers',
]);

type OwnerReference = NonNullable<KubeObject['metadata']['ownerReferences']>[number];

interface Found {
  readonly type: ServedType['resource'];
  readonly object: KubeObject;
  readonly title: string;
}

/**
 * The objects that would be deleted with a Namespace although they are not of the manifest: those of all types that the
 * server serves, custom ones too, that no other object owns. A namespace may have been there before the operator.
 *
 * Custom resources whose definition is of the manifest are left out: they are found through the definition.
 *
 * @throws TransportError
 */
export async function namespaceObjects(
  client: KubeClient,
  space: ClusterObject,
  options: NamespaceObjectsOptions,
): Promise<DeletionImpact> {
  const { named, directory, signal } = options;
  const namespace = space.key.name;
  const definitions = new Set(named.filter(({ object }) => isCrd(object)).map(({ key }) => key.name));
  const unread: string[] = directory.unavailable.map((each) => `${each} (its API server does not answer)`);
  const quiet = quietClient(client);
  const lists = await inParallel(storedTypes(directory), async (type): Promise<readonly Found[]> => {
    if (definitions.has(`${type.plural}.${type.group}`)) return [];
    try {
      const { items } = await quiet.list(type, { namespace, signal });
      return items.map((object) => ({ type, object, title: titleOf(type, object.metadata.name) }));
    } catch (error) {
      // A definition that was deleted since discovery.
      if (isNotFound(error) || isTypeNotServed(error)) return [];
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      // Who may delete a namespace need not be allowed to read what is in it.
      unread.push(error.findings[0].message);
      return [];
    }
  });
  const found = lists.flat();
  const present = new Set(found.map(({ title }) => title));
  const ours = new Set(
    named
      .filter(({ key }) => key.namespace === namespace)
      .map(({ resource, key }) => titleOf(resource, key.name)),
  );
  const objects = found
    .filter((each) => !ours.has(each.title) && isKept(each, present))
    .filter(({ object }) => !isDerived(object, options))
    .map(({ title }) => title)
    .sort();
  return { cause: space, what: 'other object', objects, unread: unread.sort() };
}

/** The namespaced types with objects of their own, each in one version: all versions show the same objects. */
function storedTypes({ types }: ApiDirectory): readonly ServedType['resource'][] {
  const byName = new Map<string, ServedType['resource']>();
  for (const { resource, verbs } of types) {
    const { group, kind, plural, namespaced } = resource;
    if (!namespaced || records.has(`${group}/${kind}`)) continue;
    // Metrics and the like can be listed, and are not stored.
    if (!verbs.includes('list') || !verbs.includes('delete')) continue;
    const name = `${group}/${plural}`;
    if (!byName.has(name)) byName.set(name, resource);
  }
  return [...byName.values()];
}

/** Returns true if an object would be missed: it is not being deleted already, and neither the cluster nor a controller recreates it. */
function isKept({ type, object, title }: Found, present: ReadonlySet<string>): boolean {
  const { metadata, ...rest } = object;
  if (metadata.deletionTimestamp !== undefined || ofTheCluster.has(title)) return false;
  // A controller makes Endpoints for each Service.
  if (title === `endpoints/${metadata.name}` && present.has(`service/${metadata.name}`)) return false;
  if (isCopiedByOlm(object)) return false;
  if (type.group !== '' || type.kind !== 'Secret') return true;
  const isIssued = metadata.annotations?.['cert-manager.io/certificate-name'] !== undefined;
  return (rest as { readonly type?: unknown }).type !== 'kubernetes.io/service-account-token' && !isIssued;
}

/**
 * Returns true if an object only depends on its owners. An owner in the same namespace is listed itself, or no longer exists, and then the
 * garbage collector is about to delete the object. A cluster-scoped owner stays, unless the manifest names it.
 */
function isDerived(object: KubeObject, { named, directory }: NamespaceObjectsOptions): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  return owners.length > 0 && owners.every((owner) => followsOwner(owner, named, directory));
}

function followsOwner(
  { apiVersion, kind, name }: OwnerReference,
  named: readonly ClusterObject[],
  { types }: ApiDirectory,
): boolean {
  const group = groupOf(apiVersion);
  const type = types.find(({ resource }) => resource.group === group && resource.kind === kind)?.resource;
  if (type === undefined) return false;
  if (type.namespaced) return true;
  const definition = `${type.plural}.${group}`;
  return named.some(
    ({ object, resource, key }) =>
      (resource.group === group && resource.kind === kind && key.name === name) ||
      (isCrd(object) && key.name === definition),
  );
}

interface DeleteRequest {
  /** Keep another object that has the same name by now. */
  readonly preconditions: { readonly uid: string; readonly resourceVersion?: string | undefined };
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Deletes one object, its dependents in the background. @throws ApiError */
export async function deleteObject(
  client: KubeClient,
  { resource, key }: Pick<ClusterObject, 'resource' | 'key'>,
  { preconditions, dryRun, signal }: DeleteRequest,
): Promise<void> {
  await client.connection.request({
    target: { verb: 'delete', resource, ...key },
    method: 'DELETE',
    path: resourcePath(resource, key),
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions,
      ...(dryRun === true ? { dryRun: ['All'] } : {}),
    },
    signal,
  });
}

interface CustomObjectsOptions {
  /** Objects that are deleted separately before: they do not count as a loss. */
  readonly apart: readonly ClusterObject[];
  /** True if their deletion is awaited; otherwise their finalizers block the definition like those of other objects. */
  readonly waitsForApart: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Finalizers that the garbage collector of the cluster removes. Source: apimachinery `metav1.FinalizerDeleteDependents`. */
const systemFinalizers = new Set(['foregroundDeletion', 'orphan']);

/**
 * The custom resources that would be deleted with a CustomResourceDefinition.
 *
 * @param live the definition as it is on the cluster
 * @throws ApiError if they cannot be listed, also where the webhook that converts them does not answer
 */
export async function customObjects(
  client: KubeClient,
  crd: ClusterObject,
  live: KubeObject,
  { apart, waitsForApart, signal }: CustomObjectsOptions,
): Promise<{ readonly impact: DeletionImpact; readonly blocked: BlockedByFinalizer }> {
  const { items, unread } = await itemsOf(client, live as unknown as ManifestObject, signal);
  const names = new Set(
    apart
      .filter(({ resource, served }) => served && crd.key.name === `${resource.plural}.${resource.group}`)
      .map(({ key }) => keyText(key)),
  );
  const others = items.filter((item) => !names.has(textOf(item)));
  const blocked = (waitsForApart ? others : items).flatMap((item) => {
    const finalizers = (item.metadata.finalizers ?? []).filter((each) => !systemFinalizers.has(each));
    return finalizers.length === 0 ? [] : [{ object: textOf(item), finalizers }];
  });
  return {
    impact: { cause: crd, what: 'custom resource', objects: others.map(textOf), unread },
    blocked: { cause: crd, objects: blocked },
  };
}

async function itemsOf(
  client: KubeClient,
  crd: ManifestObject,
  signal: AbortSignal | undefined,
): Promise<{ readonly items: readonly KubeObject[]; readonly unread: readonly string[] }> {
  const type = readableType(crd);
  if (type !== undefined) {
    try {
      return { items: (await quietClient(client).list(type, { signal })).items, unread: [] };
    } catch (error) {
      if (!isTypeNotServed(error) && !isNotFound(error)) throw error;
    }
  }
  // A definition that was never established has no objects; any other may have stored objects that no version serves.
  const unread = wasEstablished(crd) ? ['its objects (the cluster does not serve them)'] : [];
  return { items: [], unread };
}

function wasEstablished(crd: ManifestObject): boolean {
  const { conditions } = (crd['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
}

/** Returns the type for listing the objects. Any version shows all of them; the storage version does so without the conversion webhook. */
export function readableType(crd: ManifestObject): Resource<KubeObject> | undefined {
  const types = crdTypes(crd);
  const { versions } = (crd['spec'] ?? {}) as {
    readonly versions?: readonly { readonly name: string; readonly storage?: boolean }[];
  };
  const stored = versions?.find(({ storage }) => storage === true)?.name;
  return types.find(({ version }) => version === stored) ?? types[0];
}

function textOf({ metadata }: KubeObject): string {
  return keyText({ name: metadata.name, namespace: metadata.namespace });
}
