import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, textOf, textsOf } from '../../bundle/validate/fields.ts';
import { compareSemver, parseSemver } from '../../catalog/index.ts';
import { isOfOtherPackage, packageLabel } from './package-label.ts';

/** Versions of a package whose ClusterRoles OLM v0 may have left. */
export interface OwnVersions {
  readonly packageName: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** The names of its ClusterServiceVersions, as far as they are known. */
  readonly csvs: ReadonlySet<string>;
  /** The names of those before, as its ClusterServiceVersions say: what has such a name now may be of another package. */
  readonly formerCsvs: ReadonlySet<string>;
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
 * Returns true if OLM v0 leaves an object, a ClusterRole or a ClusterRoleBinding, of a version of this package: the one that is installed, or a
 * former one whose roles the later ones no longer have. OLM notes the version as the owner, and of what comes from the bundle itself nothing
 * else. So what may be of another installation is not this package's: the same operator in another namespace, in whichever version, has a
 * ClusterRole of the same name in common with it.
 */
export function isLeftOf({ metadata: { labels = {} } }: KubeObject, own: OwnVersions): boolean {
  const { 'olm.owner': owner, 'olm.owner.kind': kind, 'olm.owner.namespace': from } = labels;
  if (labels['olm.managed'] !== 'true' || owner === undefined) return false;
  if (kind !== undefined && kind !== 'ClusterServiceVersion') return false;
  if (from !== undefined && from !== own.namespace) return false;
  const label = packageLabel(own.packageName, own.namespace);
  const isLabelled = labels[label] !== undefined;
  if (from !== undefined && (isLabelled || own.csvs.has(owner))) return true;
  const others = own.all.filter(
    ({ metadata: { name = '', namespace } }) => namespace !== own.namespace || !own.csvs.has(name),
  );
  if (others.some(({ metadata }) => isSameOperator(metadata.name ?? '', owner))) return false;
  if (isOfOtherPackage(labels, label)) return false;
  const known = [...own.csvs, ...own.formerCsvs];
  return isLabelled || known.includes(owner) || known.some((csv) => isFormer(owner, csv));
}

/** Returns true if two names are equal, or those of versions of one operator. */
export function isSameOperator(a: string, b: string): boolean {
  const operator = versionIn(a)?.operator;
  return a === b || (operator !== undefined && operator === versionIn(b)?.operator);
}

/** Returns true if one name is that of an earlier version than another: `web.v0.1.0` than `web.v0.2.0`. */
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
