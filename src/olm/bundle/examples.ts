import { withArticle } from '../../base/util/article.ts';
import type { FindingList } from '../../base/errors/index.ts';
import { groupOf } from '../../base/util/api-version.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { compareCodeUnits, sortKeys } from '../../base/util/json-map.ts';
import { ownedKinds, type OwnedKind } from './owned-kinds.ts';

/** Custom resources of the bundle's own kinds, and the rest. */
export interface Examples {
  /** The value of the annotation `alm-examples`: a JSON list, as consoles read it. */
  readonly almExamples: string;
  readonly rest: readonly PlacedObject[];
}

/** Takes the custom resources of the operator's own kinds out of `objects`; notes served versions without one. */
export function collectExamples(
  warnings: FindingList,
  crds: readonly PlacedObject[],
  objects: readonly PlacedObject[],
): Examples {
  const served = crds.flatMap((crd) => ownedKinds(crd.object).map((owned) => ({ crd, owned })));
  const isExample = ({ object }: PlacedObject): boolean =>
    served.some(({ crd, owned }) => isOfKind(object, crd, owned));
  const examples = objects.filter(isExample);
  for (const { crd, owned } of served) {
    if (examples.some(({ object }) => isOfKind(object, crd, owned))) continue;
    warnings.add({
      code: 'bundle/no-example',
      message: `${owned.kind} ${owned.version} has no example; consoles offer one to fill in`,
      where: crd.where,
      fix: [
        `add ${withArticle(owned.kind)} to config/samples, and config/samples to config/manifests/kustomization.yaml`,
      ],
    });
  }
  const sorted = examples
    .map(({ object }) => object)
    .sort(
      (a, b) =>
        compareCodeUnits(a.apiVersion, b.apiVersion) ||
        compareCodeUnits(a.kind, b.kind) ||
        compareCodeUnits(a.metadata.name, b.metadata.name),
    );
  return {
    almExamples: JSON.stringify(sorted.map(sortKeys), null, 2),
    rest: objects.filter((object) => !isExample(object)),
  };
}

function isOfKind(
  { apiVersion, kind }: PlacedObject['object'],
  crd: PlacedObject,
  owned: OwnedKind,
): boolean {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group.length + 1);
  return owned.kind === kind && owned.version === version && groupOfCrd(crd) === group;
}

/** The part after the plural in the name of a CustomResourceDefinition. */
function groupOfCrd({ object }: PlacedObject): string {
  return object.metadata.name.slice(object.metadata.name.indexOf('.') + 1);
}

/** The kinds of `crds`, for messages about objects that are none of them. */
export function listKinds(crds: readonly PlacedObject[]): string {
  const kinds = crds.flatMap(({ object }) =>
    ownedKinds(object).map(({ kind, version }) => `${kind} ${version}`),
  );
  return kinds.length === 0 ? 'none' : [...new Set(kinds)].sort(compareCodeUnits).join(', ');
}
