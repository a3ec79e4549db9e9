import { textOf } from '../../fields.ts';
import {
  groupInName,
  kindId,
  ownedEntriesIn,
  ownedPath,
  showKind,
  versionsOf,
  type PlacedKind,
} from '../../owned-kinds.ts';
import type { BundleObject, Check } from '../../types.ts';

/**
 * The CRDs of the bundle and `spec.customresourcedefinitions.owned` say the same.
 * Source: operator-framework/api `pkg/validation/internal/bundle.go` `validateOwnedCRDs`.
 */
export const checkOwnedCrds: Check<'bundle'> = (bundle, { error }) => {
  const { csv } = bundle;
  if (csv === undefined) return;
  // Definitions of v1 come first, as they do for OLM.
  const crds = [...bundle.crds].sort((a, b) => Number(isOld(a)) - Number(isOld(b)));
  const defined = new Map<string, PlacedKind>();
  for (const kind of crds.flatMap(versionsOf)) {
    if (defined.has(kindId(kind)))
      error(
        'bundle/duplicate-crd',
        [kind.object, kind.path],
        `the bundle defines ${showKind(kind)} twice`,
        'remove one of the two',
      );
    defined.set(kindId(kind), kind);
  }
  const left = new Map(defined);
  const ownedNames = new Set<string>();
  for (const kind of ownedKinds(csv)) {
    // An entry answers for one version: a second one finds nothing.
    if (left.delete(kindId(kind))) {
      ownedNames.add(nameOf(kind));
      continue;
    }
    // What could not be read may hold it.
    if (!bundle.complete) continue;
    const elsewhere = [...defined.values()].filter((other) => nameOf(other) === nameOf(kind));
    const isTwice = defined.has(kindId(kind));
    error(
      'bundle/owned-crd-missing',
      [csv, kind.path],
      isTwice
        ? `the ClusterServiceVersion owns ${showKind(kind)} twice`
        : `the ClusterServiceVersion owns ${showKind(kind)}, which no CustomResourceDefinition of the bundle defines`,
      isTwice
        ? 'remove one of the two entries'
        : elsewhere.length > 0
          ? `write a version that it has: ${elsewhere.map(({ version }) => version).join(', ')}`
          : 'add its CustomResourceDefinition to manifests/, or remove the entry',
    );
  }
  for (const kind of left.values()) {
    // A CRD may have versions that the operator does not speak of any more, beside one that it owns.
    if (ownedNames.has(nameOf(kind))) continue;
    error(
      'bundle/crd-not-owned',
      [kind.object, kind.path],
      `the bundle defines ${showKind(kind)}, which the ClusterServiceVersion does not own`,
      `add {name: ${kind.object.name}, version: ${kind.version}, kind: ${kind.kind}} to spec.customresourcedefinitions.owned`,
    );
  }
};

const isOld = ({ apiVersion }: BundleObject): boolean => apiVersion !== 'apiextensions.k8s.io/v1';

function ownedKinds(csv: BundleObject): readonly PlacedKind[] {
  return ownedEntriesIn(csv).map(({ name, version, kind }, index) => ({
    // Without a dot the name counts as the group.
    group:
      groupInName(textOf(name)) === '' && !textOf(name).includes('.')
        ? textOf(name)
        : groupInName(textOf(name)),
    version: textOf(version),
    kind: textOf(kind),
    object: csv,
    path: [...ownedPath, index],
  }));
}

const nameOf = ({ group, kind }: PlacedKind): string => JSON.stringify([group, kind]);
