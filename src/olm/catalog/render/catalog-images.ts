import { fieldAt, listOf, mapOf, textOf } from '../../bundle/validate/fields.ts';
import { compareCodeUnits, type JsonMap } from '../../../base/util/json-map.ts';

/** An image that a bundle needs. */
interface RelatedImage {
  readonly name: string;
  readonly image: string;
}

/**
 * The images of a bundle: those that its ClusterServiceVersion lists, its own, and those of the operator's containers.
 * Source: operator-registry `alpha/action/render.go`, `getRelatedImages`.
 */
export function catalogImages(csv: JsonMap, image: string): readonly RelatedImage[] {
  const listed = listOf(fieldAt(csv, 'spec', 'relatedImages'))
    .map(mapOf)
    .map((related): RelatedImage => ({ name: textOf(related['name']), image: textOf(related['image']) }));
  const known = new Set(listed.map((related) => related.image));
  const own = known.has(image) ? [] : [{ name: '', image }];
  const others = [...new Set(containerImages(csv))].filter((other) => !known.has(other));
  return sortedImages([...listed, ...own, ...others.map((other) => ({ name: '', image: other }))]);
}

/** The order of opm. */
export function sortedImages<T extends { readonly image: string }>(images: readonly T[]): readonly T[] {
  return [...images].sort((a, b) => compareCodeUnits(a.image, b.image));
}

function containerImages(csv: JsonMap): readonly string[] {
  const install = mapOf(fieldAt(csv, 'spec', 'install'));
  if (install['strategy'] !== 'deployment') return [];
  return listOf(fieldAt(install, 'spec', 'deployments')).flatMap((deployment) => {
    const pod = mapOf(fieldAt(deployment, 'spec', 'template', 'spec'));
    return [...listOf(pod['containers']), ...listOf(pod['initContainers'])].map((container) =>
      textOf(mapOf(container)['image']),
    );
  });
}
