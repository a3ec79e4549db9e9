import { fieldAt, listOf, mapOf, textOf } from './fields.ts';
import type { BundleObject, Check, FieldPath, LoadedBundle } from './types.ts';

/** A version of a kind, and the place that declares it. */
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly object: BundleObject;
  readonly path: FieldPath;
}

/**
 * The CRDs of the bundle and `spec.customresourcedefinitions.owned` say the same.
 * Source: operator-framework/api `pkg/validation/internal/bundle.go` `validateOwnedCRDs`.
 */
export const checkOwnedCrds: Check = (bundle, { error }) => {
  const { csv } = bundle;
  const defined = bundle.crds.flatMap(versionsOf);
  for (const crd of duplicateCrds(bundle)) {
    error(
      'bundle/duplicate-crd',
      [crd, ['metadata', 'name']],
      `the bundle has the CustomResourceDefinition ${crd.name} twice`,
      'remove one of the two files',
    );
  }
  if (csv === undefined) return;
  const owned = ownedKinds(csv);
  const definedIds = new Set(defined.map(idOf));
  // A CRD may have versions that the operator does not speak of any more, beside one that it owns.
  const ownedNames = new Set(owned.filter((kind) => definedIds.has(idOf(kind))).map(nameOf));
  for (const kind of owned) {
    // What could not be read may hold it.
    if (!bundle.complete || kind.group === '' || definedIds.has(idOf(kind))) continue;
    const elsewhere = defined.filter((other) => other.group === kind.group && other.kind === kind.kind);
    error(
      'bundle/owned-crd-missing',
      [csv, kind.path],
      `the ClusterServiceVersion owns ${show(kind)}, which no CustomResourceDefinition of the bundle defines`,
      elsewhere.length > 0
        ? `write a version that it has: ${elsewhere.map(({ version }) => version).join(', ')}`
        : 'add its CustomResourceDefinition to manifests/, or remove the entry',
    );
  }
  for (const kind of defined) {
    if (ownedNames.has(nameOf(kind))) continue;
    error(
      'bundle/crd-not-owned',
      [kind.object, kind.path],
      `the bundle defines ${show(kind)}, which the ClusterServiceVersion does not own`,
      `add {name: ${kind.object.name}, version: ${kind.version}, kind: ${kind.kind}} to spec.customresourcedefinitions.owned`,
    );
  }
};

/** The group in the name of a CRD, `<plural>.<group>`; `''` without one. */
export function groupInName(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

function ownedKinds(csv: BundleObject): readonly Kind[] {
  const path = ['spec', 'customresourcedefinitions', 'owned'] as const;
  return listOf(fieldAt(csv.value, ...path)).map((entry, index) => {
    const { name, version, kind } = mapOf(entry);
    return {
      group: groupInName(textOf(name)),
      version: textOf(version),
      kind: textOf(kind),
      object: csv,
      path: [...path, index],
    };
  });
}

function versionsOf(crd: BundleObject): readonly Kind[] {
  const spec = mapOf(crd.value['spec']);
  const kind = { group: textOf(spec['group']), kind: textOf(mapOf(spec['names'])['kind']), object: crd };
  const versions = listOf(spec['versions']).map((version, index) => ({
    ...kind,
    version: textOf(mapOf(version)['name']),
    path: ['spec', 'versions', index],
  }));
  // The form of v1beta1 for a single version.
  const single = textOf(spec['version']);
  return single === '' || versions.length > 0
    ? versions
    : [{ ...kind, version: single, path: ['spec', 'version'] }];
}

/** All but the first CRD of each name. */
function duplicateCrds({ crds }: LoadedBundle): readonly BundleObject[] {
  const seen = new Set<string>();
  return crds.filter(({ name }) => {
    const isTwice = seen.has(name);
    seen.add(name);
    return isTwice;
  });
}

const nameOf = ({ group, kind }: Kind): string => JSON.stringify([group, kind]);

const idOf = ({ group, version, kind }: Kind): string => JSON.stringify([group, version, kind]);

const show = ({ group, version, kind }: Kind): string => `${group}/${version} ${kind}`;
