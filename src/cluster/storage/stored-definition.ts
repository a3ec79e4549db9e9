import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import type { ManifestObject } from '../../kubernetes/yaml/manifest-object.ts';
import { crdTypes } from '../objects/crd-types.ts';

/** In which versions the objects of a kind are, or may be, stored on a cluster. */
export interface StoredDefinition {
  /** `memcacheds.cache.example.com`. */
  readonly name: string;
  readonly kind: string;
  /** The version in which every write is stored now. */
  readonly storageVersion: string;
  /** All versions in which objects may be stored. Source: apiextensions v1 `CustomResourceDefinitionStatus`. */
  readonly storedVersions: readonly string[];
  readonly servedVersions: readonly string[];
  /** True if objects may be stored in another version than the storage version. */
  readonly needsMigration: boolean;
  /** Tells whether the definition is still the same: its uid and generation. */
  readonly identity: string;
  readonly resourceVersion: string;
  /** Undefined if no version is served. The storage version, if it is served. */
  readonly readable: Resource<KubeObject> | undefined;
}

/**
 * Reads a CustomResourceDefinition of a cluster.
 *
 * @returns undefined if the cluster does not have it
 * @throws ApiError, TransportError
 */
export async function readStoredDefinition(
  client: KubeClient,
  name: string,
  signal: AbortSignal | undefined,
): Promise<StoredDefinition | undefined> {
  try {
    return describe(await client.get(CustomResourceDefinition, { name }, { signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function describe(crd: CustomResourceDefinition): StoredDefinition {
  const { metadata, spec, status } = crd;
  const storageVersion = spec.versions.find(({ storage }) => storage)?.name ?? '';
  const storedVersions = status?.storedVersions ?? [];
  const types = crdTypes({ ...crd, apiVersion: 'apiextensions.k8s.io/v1' } as unknown as ManifestObject);
  return {
    name: metadata.name,
    kind: spec.names.kind,
    storageVersion,
    storedVersions,
    servedVersions: spec.versions.filter(({ served }) => served).map(({ name }) => name),
    needsMigration: storedVersions.some((version) => version !== storageVersion),
    identity: `${metadata.uid}/${metadata.generation}`,
    resourceVersion: metadata.resourceVersion ?? '',
    readable: types.find(({ version }) => version === storageVersion) ?? types[0],
  };
}
