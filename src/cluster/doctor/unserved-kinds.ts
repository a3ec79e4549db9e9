import type { ApiDirectory } from '../../sdk/kube/discovery/index.ts';
import { groupOf } from '../../base/util/api-version.ts';
import type { PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';
import { crdTypes, isCrd } from '../objects/crd-types.ts';

/** A kind that the objects of a project have and the cluster does not know. */
export interface UnservedKind {
  readonly apiVersion: string;
  readonly group: string;
  readonly kind: string;
}

/** The kinds among the objects that neither the cluster serves nor a CRD among them brings, each once. */
export function unservedKinds(
  objects: readonly PlacedObject[],
  { types }: ApiDirectory,
): readonly UnservedKind[] {
  const served = [
    ...types.map(({ resource }) => resource),
    ...objects.flatMap(({ object }) => (isCrd(object) ? crdTypes(object) : [])),
  ];
  const unserved = new Map<string, UnservedKind>();
  for (const { object } of objects) {
    const { apiVersion, kind } = object;
    if (served.some((type) => type.apiVersion === apiVersion && type.kind === kind)) continue;
    unserved.set(`${apiVersion} ${kind}`, { apiVersion, group: groupOf(apiVersion), kind });
  }
  return [...unserved.values()];
}
