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
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { titleOf, type ClusterObject, isCrd, isCopiedByOlm, crdTypes } from '../objects/cluster-object.ts';
import { quietClient } from '../clients.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import type { DeletionImpact, BlockedByFinalizer } from './deletion-impact.ts';

interface NamespaceObjectsOptions {
  /** Objects of the manifest. They are not part of the result. */
  readonly named: readonly ClusterObject[];
  /** All types that the API server serves. */
  readonly directory: ApiDirectory;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Types, as `<group>/<kind>`, whose objects only record what happens on the cluster. Their loss does not matter, because they are created
 * again automatically.
 */
const records = new Set(['/Event', 'events.k8s.io/Event', 'coordination.k8s.io/Lease']);

/** Objects that the cluster itself creates in each namespace. */
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
 * Returns the objects that would be deleted with a Namespace although the manifest does not name them. There may be some if the namespace
 * is older than the operator. All types that the server serves are searched, including custom ones. Objects that are deleted with their
 * owners anyway are omitted.
 *
 * Custom resources are left out if the manifest contains their definition, because {@link customObjects} finds them.
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
      // The definition of the type was deleted since discovery, so it has no objects.
      if (isNotFound(error) || isTypeNotServed(error)) return [];
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      // A user who may delete a namespace is not necessarily allowed to read its contents.
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
  const certificates = ownCertificates(named, namespace);
  const objects = found
    .filter((each) => !ours.has(each.title) && !certificates.has(each.title) && isKept(each, present))
    .filter(({ object }) => !isDerived(object, options))
    .map(({ title }) => title)
    .sort();
  return { cause: space, what: 'other object', objects, unread: unread.sort() };
}

/**
 * Returns the titles of the Secrets in which operators of the manifest keep the certificates of their webhooks. An operator creates its
 * Secret by itself, and again if it is missing. Source: `selfSignedSettings` of the runtime.
 */
function ownCertificates(named: readonly ClusterObject[], namespace: string): ReadonlySet<string> {
  const deployments = named.filter(
    ({ resource, key }) =>
      resource.group === 'apps' && resource.kind === 'Deployment' && key.namespace === namespace,
  );
  const containers = deployments.flatMap(({ object }) => {
    const { template } = jsonMapOf(object['spec']);
    return jsonListOf(jsonMapOf(jsonMapOf(template)['spec'])['containers']);
  });
  const names = containers
    .flatMap((container) => jsonListOf(jsonMapOf(container)['env']))
    .map(jsonMapOf)
    .filter(({ name }) => name === 'WEBHOOK_SECRET_NAME')
    .flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return new Set(names.map((name) => titleOf({ kind: 'Secret', group: '' }, name)));
}

/** Returns the namespaced types whose objects are stored, each in one version only, because all versions show the same objects. */
function storedTypes({ types }: ApiDirectory): readonly ServedType['resource'][] {
  const byName = new Map<string, ServedType['resource']>();
  for (const { resource, verbs } of types) {
    const { group, kind, plural, namespaced } = resource;
    if (!namespaced || records.has(`${group}/${kind}`)) continue;
    // Types such as metrics can be listed, but are not stored and cannot be deleted.
    if (!verbs.includes('list') || !verbs.includes('delete')) continue;
    const name = `${group}/${plural}`;
    if (!byName.has(name)) byName.set(name, resource);
  }
  return [...byName.values()];
}

/**
 * Returns true if the deletion of an object is a loss: the object is not being deleted already, and neither the cluster nor a controller
 * would recreate it.
 */
function isKept({ type, object, title }: Found, present: ReadonlySet<string>): boolean {
  const { metadata, ...rest } = object;
  if (metadata.deletionTimestamp !== undefined || ofTheCluster.has(title)) return false;
  // A controller creates Endpoints for each Service again.
  if (title === `endpoints/${metadata.name}` && present.has(`service/${metadata.name}`)) return false;
  if (isCopiedByOlm(object)) return false;
  if (type.group !== '' || type.kind !== 'Secret') return true;
  const isIssued = metadata.annotations?.['cert-manager.io/certificate-name'] !== undefined;
  return (rest as { readonly type?: unknown }).type !== 'kubernetes.io/service-account-token' && !isIssued;
}

/**
 * Returns true if an object is deleted together with its owners anyway. An existing owner in the same namespace is listed itself. If an
 * owner no longer exists, the garbage collector is about to delete the object. A cluster-scoped owner is deleted only if the manifest
 * contains it.
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
  /** Preconditions of the deletion. If another object has the same name by now, the preconditions prevent its deletion. */
  readonly preconditions: { readonly uid: string; readonly resourceVersion?: string | undefined };
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Deletes one object; its dependents are deleted in the background. @throws ApiError */
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
  /** Custom resources that are deleted in an earlier step than their definition. They are not reported as a loss. */
  readonly apart: readonly ClusterObject[];
  /**
   * True if the command waits until the objects in `apart` are gone before it deletes the definition. If false, their finalizers block the
   * deletion of the definition, as finalizers of other custom resources do.
   */
  readonly waitsForApart: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Finalizers that the garbage collector of the cluster removes. Source: apimachinery `metav1.FinalizerDeleteDependents`. */
const systemFinalizers = new Set(['foregroundDeletion', 'orphan']);

/**
 * Finds the custom resources that would be deleted with a CustomResourceDefinition, and those that would block its deletion.
 *
 * @param live the definition as read from the cluster
 * @throws ApiError if the custom resources cannot be listed, for example because their conversion webhook does not respond
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
  // A definition that was never established has no objects. Any other definition may have stored objects, even if none of its versions is
  // served now.
  const unread = wasEstablished(crd) ? ['its objects (the cluster does not serve them)'] : [];
  return { items: [], unread };
}

function wasEstablished(crd: ManifestObject): boolean {
  const { conditions } = (crd['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
}

/**
 * Returns the type in whose version the custom resources are listed. Any served version returns all objects. The storage version is
 * preferred, because reading it does not need the conversion webhook.
 */
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
