import { fieldAt, listOf, mapOf, textOf } from './fields.ts';
import type { BundleObject, FieldPath } from './types.ts';

/** A version of a kind, and the place that declares it. */
export interface PlacedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly object: BundleObject;
  readonly path: FieldPath;
}

/** Where a ClusterServiceVersion lists the kinds of its operator. */
export const ownedPath = ['spec', 'customresourcedefinitions', 'owned'] as const;

/** The entries of `spec.customresourcedefinitions.owned`. */
export function ownedEntriesIn(csv: BundleObject): readonly Readonly<Record<string, unknown>>[] {
  return listOf(fieldAt(csv.value, ...ownedPath)).map(mapOf);
}

/** The group in the name of a CRD, `<plural>.<group>`; `''` without one. */
export function groupInName(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

/** The versions that a definition has: v1 and v1beta1, which has a form for a single one. */
export function versionsOf(crd: BundleObject): readonly PlacedKind[] {
  const spec = mapOf(crd.value['spec']);
  const kind = { group: textOf(spec['group']), kind: textOf(mapOf(spec['names'])['kind']), object: crd };
  const versions = listOf(spec['versions']).map((version, index) => ({
    ...kind,
    version: textOf(mapOf(version)['name']),
    path: ['spec', 'versions', index],
  }));
  if (versions.length > 0 || crd.apiVersion !== 'apiextensions.k8s.io/v1beta1') return versions;
  return [{ ...kind, version: textOf(spec['version']), path: ['spec', 'version'] }];
}

/** A kind with its version, as one text. */
export const kindId = ({ group, version, kind }: Pick<PlacedKind, 'group' | 'version' | 'kind'>): string =>
  JSON.stringify([group, version, kind]);

export const showKind = ({ group, version, kind }: PlacedKind): string => `${group}/${version} ${kind}`;
