import type { KubeObject } from '../../api/index.ts';
import { fieldAt, textOf, textsOf } from '../../bundle/validate/fields.ts';
import { compareSemver, parseSemver } from '../../catalog/index.ts';

/** Whose ClusterRoles OLM v0 may have left. */
export interface OwnVersions {
  readonly packageName: string;
  /** Of the operator. */
  readonly namespace: string;
  /** The names of its ClusterServiceVersions, as far as they are known. */
  readonly csvs: ReadonlySet<string>;
  /** The ClusterServiceVersions of all namespaces, without copies. */
  readonly all: readonly KubeObject[];
}

/** The versions that ClusterServiceVersions say they come after: those are gone, and so may be their InstallPlans. */
export function replacedVersions(operators: readonly KubeObject[]): readonly string[] {
  return operators
    .flatMap((csv) => [textOf(fieldAt(csv, 'spec', 'replaces')), ...textsOf(fieldAt(csv, 'spec', 'skips'))])
    .filter((name) => name !== '');
}

/**
 * Whether OLM v0 leaves an object, a ClusterRole or a ClusterRoleBinding, of a version of this package: the one that is installed, or a
 * former one whose roles the later ones no longer have. OLM notes the version as the owner, and of what comes from the bundle itself nothing
 * else. So what may be of another installation is not this package's: one in another namespace, or one whose versions only look alike.
 */
export function isLeftOf({ metadata: { labels = {} } }: KubeObject, own: OwnVersions): boolean {
  const { 'olm.owner': owner, 'olm.owner.kind': kind, 'olm.owner.namespace': from } = labels;
  if (labels['olm.managed'] !== 'true' || owner === undefined) return false;
  if (kind !== undefined && kind !== 'ClusterServiceVersion') return false;
  if (from !== undefined && from !== own.namespace) return false;
  if (labels[`operators.coreos.com/${own.packageName}.${own.namespace}`] !== undefined) return true;
  const isHere = own.csvs.has(owner);
  if (from !== undefined && isHere) return true;
  const isElsewhere = own.all.some(
    ({ metadata }) => metadata.name === owner && metadata.namespace !== own.namespace,
  );
  if (isElsewhere) return false;
  if (isHere) return true;
  const isThere = own.all.some(({ metadata }) => metadata.name === owner);
  return !isThere && [...own.csvs].some((csv) => isFormer(owner, csv));
}

/** Whether one name is that of an earlier version than another: `web.v0.1.0` than `web.v0.2.0`. */
function isFormer(name: string, later: string): boolean {
  const [before, after] = [versionIn(name), versionIn(later)];
  return (
    before !== undefined &&
    before.operator === after?.operator &&
    compareSemver(before.version, after.version) < 0
  );
}

function versionIn(csv: string) {
  const [, operator, text = ''] = /^(.+)\.v(\d.*)$/.exec(csv) ?? [];
  const version = parseSemver(text);
  return operator === undefined || version === undefined ? undefined : { operator, version };
}
