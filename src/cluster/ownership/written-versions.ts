import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { isForbidden, type KubeClient } from '../../sdk/kube/index.ts';

/** Maps the `apiVersion` of an entry of managed fields to the one in which the entry is written. */
export type WrittenVersion = (apiVersion: string) => string;

/** Keeps the `apiVersion` of each entry. */
export const sameVersion: WrittenVersion = (apiVersion) => apiVersion;

/**
 * Reads the CRD of a kind, and determines the version in which each entry of managed fields is written. The stored version, which has all
 * fields of the objects, is used for entries whose version the CRD no longer has, because the API server would drop them, and for all
 * entries if the CRD has no conversion webhook, because field paths are then the same in all versions. Without the CRD, or the permission
 * to read it, each entry keeps its version.
 *
 * @throws ApiError, TransportError, the signal's reason
 */
export async function readWrittenVersion(
  client: Pick<KubeClient, 'find'>,
  { group, plural, apiVersion }: Resource<KubeObject>,
  signal?: AbortSignal,
): Promise<WrittenVersion> {
  const crd = await findCrd(client, `${plural}.${group}`, signal);
  if (crd === undefined) return sameVersion;
  const { versions, conversion } = crd.spec;
  const stored = versions.find(({ served, storage }) => served && storage);
  const written = stored === undefined ? apiVersion : `${group}/${stored.name}`;
  const isConverted = conversion?.strategy === 'Webhook';
  const known = new Set(versions.map(({ name }) => `${group}/${name}`));
  return (given) => (isConverted && known.has(given) ? given : written);
}

async function findCrd(
  client: Pick<KubeClient, 'find'>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<CustomResourceDefinition | undefined> {
  try {
    return await client.find(CustomResourceDefinition, { name }, { signal });
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
