import type { KubeObject } from './meta.ts';
import type { Resource } from './resource.ts';

/**
 * An object of which only the metadata was read; `apiVersion` and `kind` are those of its own kind. Source: apimachinery
 * `metav1.PartialObjectMetadata`.
 */
export type PartialObjectMetadata<T extends KubeObject = KubeObject> = Pick<
  T,
  'apiVersion' | 'kind' | 'metadata'
>;

/**
 * The token of a kind's metadata alone: reads and watches by it transfer and hold no other fields. For kinds with much data of which
 * names, labels or annotations suffice. Objects cannot be created, updated or applied by it.
 *
 * @example
 * const names = (await client.live.list(metadataOnly(Secret), { namespace })).items.map(({ metadata }) => metadata.name);
 */
export function metadataOnly<T extends KubeObject>(
  resource: Resource<T>,
): Resource<PartialObjectMetadata<T>> {
  return Object.freeze({ ...resource, metadataOnly: true });
}
