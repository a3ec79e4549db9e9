import type { FindingList } from '../../base/errors/index.ts';
import { describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, asText, compareCodeUnits, isJsonMap } from '../../base/util/json-map.ts';
import { displayName } from '../../base/util/display-name.ts';

/** Kind and version of an entry of `spec.customresourcedefinitions.owned`. */
export interface OwnedName {
  /** `<plural>.<group>` */
  readonly name: string;
  readonly kind: string;
  readonly version: string;
}

/** One served version of a kind that the operator brings, as its CustomResourceDefinition describes it. */
export interface OwnedKind extends OwnedName {
  readonly displayName: string;
  /** The description of the schema's root; absent if it has none. */
  readonly description?: string;
}

/**
 * The entries of all served versions of a CustomResourceDefinition. Versions that are not served are left out, as operator-sdk
 * leaves them out: OLM would wait for them forever ("CRD version not served"), and validators want one version of a kind only.
 * Source: operator-sdk `internal/generate/clusterserviceversion` and `internal/util/k8sutil`, operator-lifecycle-manager
 * `pkg/controller/operators/olm/requirements.go`, operator-framework/api `pkg/validation/internal/bundle.go`.
 * @param crd `apiextensions.k8s.io/v1`
 */
export function ownedKinds(crd: JsonMap): readonly OwnedKind[] {
  const metadata = isJsonMap(crd['metadata']) ? crd['metadata'] : {};
  const spec = isJsonMap(crd['spec']) ? crd['spec'] : {};
  const names = isJsonMap(spec['names']) ? spec['names'] : {};
  const versions = Array.isArray(spec['versions']) ? (spec['versions'] as unknown[]).filter(isJsonMap) : [];
  const kind = asText(names['kind']);
  return versions
    .filter((version) => version['served'] === true)
    .map((version) => {
      const description = descriptionOf(version);
      return {
        name: asText(metadata['name']),
        kind,
        version: asText(version['name']),
        displayName: displayName(kind),
        ...(description === undefined ? {} : { description }),
      };
    });
}

/** Returns true if an entry, perhaps of a base, is of this kind and version. */
export function describesKind(entry: JsonMap | OwnedName, owned: OwnedName): boolean {
  return entry.name === owned.name && entry.kind === owned.kind && entry.version === owned.version;
}

/** Sorts entries by name, then version. */
export function compareOwned(a: OwnedName | JsonMap, b: OwnedName | JsonMap): number {
  return (
    compareCodeUnits(asText(a.name), asText(b.name)) || compareCodeUnits(asText(a.version), asText(b.version))
  );
}

/** Notes CustomResourceDefinitions without a served version: there is nothing that OLM could wait for, or anybody could use. */
export function checkServed(findings: FindingList, crds: readonly PlacedObject[]): void {
  for (const { object, where } of crds.filter((crd) => ownedKinds(crd.object).length === 0)) {
    findings.add({
      code: 'bundle/invalid-object',
      message: `${describeObject(object)}: spec.versions has no version that is served`,
      where,
      fix: ['serve a version, or leave the CustomResourceDefinition out of the bundle'],
    });
  }
}

function descriptionOf(version: JsonMap): string | undefined {
  const schema = isJsonMap(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
  const description = isJsonMap(schema) ? schema['description'] : undefined;
  return typeof description === 'string' && description !== '' ? description : undefined;
}
