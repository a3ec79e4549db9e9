import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../sdk/k8s/generated/admissionregistration/v1.ts';
import { APIService } from '../../../sdk/k8s/generated/apiregistration/v1.ts';
import { Namespace, Secret } from '../../../sdk/k8s/generated/core/v1.ts';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../../../sdk/k8s/generated/rbac/v1.ts';
import { type KubeClient, isNotFound, isTypeNotServed } from '../../../sdk/kube/index.ts';
import { groupOf } from '../../../base/util/kubernetes-words.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import { countText } from '../../../base/util/words.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import { isAuthReaderOf, ClusterExtension, ClusterServiceVersion, Subscription } from '../../run/index.ts';
import type { OlmRelease } from '../release/check-release.ts';
import type { Finding } from '../../../base/errors/index.ts';
import type { OlmVersion } from '../../catalog/index.ts';
import { isCopiedByOlm } from '../../../cluster/index.ts';
import { nameOf } from '../status/olm-status.ts';

/** Label of all objects, in any namespace, that OLM v0 creates for an OperatorGroup or a CSV. */
const ownerLabel = 'olm.owner';

/**
 * Types of objects that OLM v0 creates outside of its namespaces. CustomResourceDefinitions of operators are not listed, because they are
 * kept.
 */
const outsideTypes: readonly Resource<KubeObject>[] = [
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  ClusterRoleBinding,
  ClusterRole,
  RoleBinding,
  Role,
];

const packagesGroup = 'packages.operators.coreos.com';

/** Converts an object read from the cluster to the form of a manifest object. */
export function placedLive(
  { apiVersion, kind }: Resource<KubeObject>,
  { metadata }: KubeObject,
): PlacedObject {
  const { name, namespace } = metadata;
  return {
    object: { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } },
    where: { object: `${kind} ${name}` },
  };
}

/**
 * Returns the APIServices of the package server. They must be deleted, because without the package server they break discovery and the
 * deletion of namespaces.
 */
export async function apiServices(
  client: KubeClient,
  signal: AbortSignal | undefined,
): Promise<readonly PlacedObject[]> {
  const all = await listAll(client, APIService, { signal });
  return all
    .filter(({ metadata }) => metadata.name.endsWith(`.${packagesGroup}`))
    .map((each) => placedLive(APIService, each));
}

/**
 * Returns objects that OLM v0's operators created outside of their namespaces and did not delete.
 *
 * @param namespaces namespaces of the release, and of the operators that are removed with it
 */
export async function outsideObjects(
  client: KubeClient,
  namespaces: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<readonly PlacedObject[]> {
  const found: PlacedObject[] = [];
  for (const each of await listAll(client, RoleBinding, { labelSelector: 'olm.managed=true', signal }))
    if (isAuthReaderOf(each, namespaces)) found.push(placedLive(RoleBinding, each));
  for (const type of outsideTypes)
    for (const each of await listAll(client, type, { labelSelector: ownerLabel, signal }))
      found.push(placedLive(type, each));
  return found;
}

/**
 * Returns the Secrets that cert-manager has created for the release's Certificates, and that are left behind outside of the release's
 * namespaces.
 */
export async function issuedSecrets(
  client: KubeClient,
  { objects }: OlmRelease,
  signal: AbortSignal | undefined,
): Promise<readonly PlacedObject[]> {
  const found: PlacedObject[] = [];
  for (const { object } of objects) {
    if (object.kind !== 'Certificate' || groupOf(object.apiVersion) !== 'cert-manager.io') continue;
    const { name: certificate, namespace } = object.metadata;
    const name = jsonTextOf(jsonMapOf(object['spec'])['secretName']);
    if (namespace === undefined || name === '') continue;
    const secret = await client.find(Secret, { name, namespace }, { signal });
    const issuedFor = secret?.metadata.annotations?.['cert-manager.io/certificate-name'];
    if (secret !== undefined && issuedFor === certificate) found.push(placedLive(Secret, secret));
  }
  return found;
}

const groupLabel = 'olm.operatorgroup.uid/';

/** Removes the labels by which OLM v0 marks the namespaces of OperatorGroups. */
export async function unlabelNamespaces(client: KubeClient, signal: AbortSignal | undefined): Promise<void> {
  for (const { metadata } of await listAll(client, Namespace, { signal })) {
    const labels = Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith(groupLabel));
    if (labels.length === 0 || metadata.deletionTimestamp !== undefined) continue;
    const body = { metadata: { labels: Object.fromEntries(labels.map((label) => [label, null])) } };
    await client.patch(Namespace, { name: metadata.name }, { type: 'merge', body }, { signal });
  }
}

/** All objects of one kind by which OLM manages operators, for example all Subscriptions. */
export interface ManagedObjects {
  readonly type: Resource<KubeObject>;
  readonly objects: readonly KubeObject[];
}

/** Maximum number of names that a message lists. Further names are only counted. */
const shown = 20;

/**
 * Lists the objects by which OLM manages operators, in the order of deletion. For OLM v0, these are Subscriptions (first, because they
 * would install operators again) and CSVs; for OLM v1, ClusterExtensions. OLM's own package server and the copies of CSVs that OLM makes
 * are omitted.
 * @throws ApiError if the user may not list these objects
 */
export async function managedObjects(
  client: KubeClient,
  { olm, objects }: Pick<OlmRelease, 'olm' | 'objects'>,
  signal: AbortSignal | undefined,
): Promise<readonly ManagedObjects[]> {
  const own = new Set(
    objects
      .filter(({ object }) => object.kind === ClusterServiceVersion.kind)
      .map(({ object }) => object.metadata.name),
  );
  const isOwn = ({ metadata }: KubeObject): boolean => isCopiedByOlm({ metadata }) || own.has(metadata.name);
  const types: readonly Resource<KubeObject>[] =
    olm === 'v0' ? [Subscription, ClusterServiceVersion] : [ClusterExtension];
  const found: ManagedObjects[] = [];
  for (const type of types) {
    const items = await listAll(client, type, { signal });
    found.push({
      type,
      objects: type === ClusterServiceVersion ? items.filter((each) => !isOwn(each)) : items,
    });
  }
  return found;
}

/** Lists all objects of a type. Returns an empty list if the server does not serve the type. @throws ApiError, TransportError */
export async function listAll(
  client: KubeClient,
  type: Resource<KubeObject>,
  options: { readonly labelSelector?: string; readonly signal: AbortSignal | undefined },
): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(type, options)).items;
  } catch (error) {
    if (isTypeNotServed(error) || isNotFound(error)) return [];
    throw error;
  }
}

/**
 * Returns a finding if OLM still manages operators: an error, or a warning that the operators are deleted together with OLM.
 * @returns undefined if OLM manages no operators
 */
export function inUseFinding(
  olm: OlmVersion,
  managed: readonly ManagedObjects[],
  { refused }: { readonly refused: boolean },
): Finding | undefined {
  const parts = managed
    .filter(({ objects }) => objects.length > 0)
    .map(({ type, objects }) => {
      const names = objects.map(({ metadata: { name, namespace } }) =>
        nameOf({ name, ...(namespace === undefined ? {} : { namespace }) }),
      );
      const more = names.length - shown;
      const list = `${names.slice(0, shown).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
      return `${countText(objects.length, type.kind)} (${list})`;
    });
  if (parts.length === 0) return undefined;
  const what = parts.join(' and ');
  if (!refused)
    return { code: 'olm/in-use', message: `OLM ${olm} is in use; this will be deleted with it: ${what}` };
  return {
    code: 'olm/in-use',
    message: `OLM ${olm} is in use: the cluster has ${what}`,
    fix: [
      'remove these operators first: delete the objects that are named',
      'or pass --force to delete them, and the operators that they installed, with OLM',
    ],
  };
}
