import type { Finding, Where } from '../../base/errors/index.ts';
import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { crdTypes } from '../objects/cluster-object.ts';

/** A CustomResourceDefinition of the project. */
export interface ProjectDefinition {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly storage: boolean;
  }[];
  readonly where: Where;
}

/** Use of a version of a kind in the project, with its source position. */
export interface VersionUse {
  readonly apiVersion: string;
  /** Name of the kind; undefined if the project uses the version of the group without a kind. */
  readonly kind: string | undefined;
  readonly where: Where;
}

/**
 * Finds reasons not to install a definition of the project: the definition lacks a version in which objects may be stored, or does not
 * serve a version that the project itself uses.
 *
 * @param stored the definition on the cluster; undefined if it does not exist
 */
export function checkStorage(
  definition: ProjectDefinition,
  stored: StoredDefinition | undefined,
  uses: readonly VersionUse[],
): readonly Finding[] {
  const { name, group, kind, versions, where } = definition;
  const has = (version: string): boolean => versions.some((each) => each.name === version);
  const lost = (stored?.storedVersions ?? []).filter((version) => !has(version));
  const storage = versions.find((each) => each.storage)?.name;
  const steps =
    storage === stored?.storageVersion
      ? ['op-sdk storage migrate']
      : [
          `keep the version until ${storage ?? 'the new version'} is the storage version on the cluster: op-sdk install`,
          'op-sdk storage migrate',
        ];
  const unserved = uses.filter((use) => {
    const [useGroup, version = ''] = use.apiVersion.split('/');
    return (
      useGroup === group &&
      (use.kind === undefined || use.kind === kind) &&
      stored?.servedVersions.includes(version) !== false &&
      !versions.some((each) => each.name === version && each.served)
    );
  });
  return [
    ...lost.map((version): Finding => ({
      code: 'cluster/stored-version-removed',
      message: `${name}: version ${version} is not in the project, but objects on the cluster may be stored in it (status.storedVersions)`,
      where,
      fix: steps,
    })),
    ...unserved.map((use): Finding => ({
      code: 'cluster/used-version-removed',
      message: `${name}: ${use.apiVersion}${use.kind === undefined ? '' : ` ${use.kind}`} is used here, but is not a version that the project serves`,
      where: use.where,
      fix: ['use a version that the project serves, or let the project serve this version'],
    })),
  ];
}

/** A CustomResourceDefinition on a cluster, with the versions in which its objects are, or may be, stored. */
export interface StoredDefinition {
  /** Name of the CustomResourceDefinition: `memcacheds.cache.example.com`. */
  readonly name: string;
  readonly kind: string;
  /** Version in which objects are stored when they are written now. */
  readonly storageVersion: string;
  /** All versions in which objects may be stored. Source: apiextensions v1 `CustomResourceDefinitionStatus`. */
  readonly storedVersions: readonly string[];
  readonly servedVersions: readonly string[];
  /** True if objects may be stored in another version than the storage version. */
  readonly needsMigration: boolean;
  /** Identifier of this state of the definition, made of its uid and generation. It is used to detect changes of the definition. */
  readonly identity: string;
  readonly resourceVersion: string;
  /**
   * Type in whose version objects are read: the storage version if it is served; if not, another served version. Undefined if no version is
   * served.
   */
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
