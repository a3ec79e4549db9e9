import type { FindingList } from '../errors/index.ts';
import { describeObject, type PlacedObject } from '../yaml/index.ts';
import { type JsonMap, asText, compareCodeUnits, isJsonMap } from '../util/json-map.ts';
import type { ObjectReader } from './object-reader.ts';

/** One served version of a kind that the operator brings: an entry of `spec.customresourcedefinitions.owned`. */
export interface OwnedKind {
  /** `<plural>.<group>` */
  readonly name: string;
  readonly kind: string;
  readonly version: string;
  readonly displayName: string;
  /** The description of the schema's root; absent if it has none. */
  readonly description?: string;
}

/** A name for people: `NginxOperator` is `Nginx Operator`, `HTTPProxy` is `HTTP Proxy`, `my-operator` is `My Operator`. */
export function displayName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[-._\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
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

/** Whether an entry, of a base perhaps, is of this kind and version. */
export function describesKind(entry: JsonMap, owned: OwnedKind): boolean {
  return entry['name'] === owned.name && entry['kind'] === owned.kind && entry['version'] === owned.version;
}

/** Sorts entries by name, then version. */
export function compareOwned(a: JsonMap | OwnedKind, b: JsonMap | OwnedKind): number {
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

/** The owned entries of the bundle: what the base says of each kind, completed from the CustomResourceDefinition. */
export function ownedEntries(
  warnings: FindingList,
  read: ObjectReader,
  crds: readonly PlacedObject[],
  base: PlacedObject,
): readonly JsonMap[] {
  const owned = crds.flatMap(({ object }) => ownedKinds(object));
  const described = read.maps(base, 'spec', 'customresourcedefinitions', 'owned');
  for (const entry of described.filter(
    (candidate) => !owned.some((kind) => describesKind(candidate, kind)),
  )) {
    warnings.add({
      code: 'bundle/unknown-owned-kind',
      message: `${describeObject(base.object)} describes ${asText(entry['kind'])} ${asText(entry['version'])} (${asText(entry['name'])}), which no CustomResourceDefinition serves; the entry is left out`,
      where: base.where,
      fix: ['remove the entry from the base, or add the CustomResourceDefinition'],
    });
  }
  return owned
    .map((kind) => ({ ...kind, ...described.find((entry) => describesKind(entry, kind)) }))
    .sort(compareOwned);
}

function descriptionOf(version: JsonMap): string | undefined {
  const schema = isJsonMap(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
  const description = isJsonMap(schema) ? schema['description'] : undefined;
  return typeof description === 'string' && description !== '' ? description : undefined;
}
