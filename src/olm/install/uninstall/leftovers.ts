import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../sdk/k8s/generated/admissionregistration/v1.ts';
import { APIService } from '../../../sdk/k8s/generated/apiregistration/v1.ts';
import { Namespace, Secret } from '../../../sdk/k8s/generated/core/v1.ts';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../../../sdk/k8s/generated/rbac/v1.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import { groupOf } from '../../../base/util/api-version.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import { isAuthReaderOf } from '../../run/cleanup/auth-readers.ts';
import type { OlmRelease } from '../release/check-release.ts';
import { listAll } from './in-use.ts';

/** The label of all that OLM v0 makes for an OperatorGroup or a CSV, wherever it is. */
const ownerLabel = 'olm.owner';

/** Types of what OLM v0 creates outside of its namespaces. CustomResourceDefinitions of operators are not among it: they stay. */
const outsideTypes: readonly Resource<KubeObject>[] = [
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  ClusterRoleBinding,
  ClusterRole,
  RoleBinding,
  Role,
];

const packagesGroup = 'packages.operators.coreos.com';

/** An object of the cluster in the form of a manifest. */
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

/** The APIServices of the package server: they break discovery, and the end of namespaces, once it is gone. */
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
 * Objects that operators of OLM v0 have made outside of their namespaces and not deleted.
 *
 * @param namespaces those of the release, and of the operators that are removed with it
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

/** The Secrets that cert-manager has made for Certificates of a release outside of its namespaces: it leaves them behind. */
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
