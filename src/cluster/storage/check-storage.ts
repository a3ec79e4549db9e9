import type { Finding } from '../../base/errors/index.ts';
import type { Where } from '../../base/errors/index.ts';
import type { StoredDefinition } from './stored-definition.ts';

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

/** A place in the project that names a version of a kind. */
export interface VersionUse {
  readonly apiVersion: string;
  /** Undefined where only the group's version is known. */
  readonly kind: string | undefined;
  readonly where: Where;
}

/**
 * Finds what speaks against installing the project's definition: versions in which objects may be stored, or that the project uses itself, and
 * that it no longer has or serves.
 *
 * @param stored the definition on the cluster; undefined if it is not there
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
      message: `${name}: ${use.apiVersion}${use.kind === undefined ? '' : ` ${use.kind}`} is used here, but the project does not serve this version`,
      where: use.where,
      fix: ['use a version that is served, or serve this one'],
    })),
  ];
}
