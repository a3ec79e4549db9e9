import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';
import { crdTypes, isCrd } from '../objects/crd-types.ts';

/** The kinds of CustomResourceDefinitions, each in the version that is stored, or else in one that is served. */
export function watchedTypes(objects: readonly PlacedObject[]): readonly Resource<KubeObject>[] {
  return objects.flatMap(({ object }) => {
    if (!isCrd(object)) return [];
    const types = crdTypes(object);
    const { versions = [] } = object['spec'] as {
      readonly versions?: readonly { readonly name: string; readonly storage?: boolean }[];
    };
    const stored = versions.find(({ storage }) => storage === true)?.name;
    return types.find(({ version }) => version === stored) ?? types[0] ?? [];
  });
}
