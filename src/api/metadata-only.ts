import type { KubeObject } from './meta.ts';
import type { Resource } from './resource.ts';

/**
 * The metadata of an object of any kind, with the `apiVersion` and `kind` of that kind; everything else is left out. Source: apimachinery
 * `metav1.PartialObjectMetadata`.
 */
export type PartialObjectMetadata = KubeObject;

/**
 * The token of a kind's metadata alone: reads and watches by it transfer and hold no other fields. For kinds with much data of which
 * names, labels or annotations suffice.
 *
 * @example
 * watches: [watch(metadataOnly(Secret), { map: (secret) => keysFromLabels(secret.metadata.labels) })]
 */
export function metadataOnly(resource: Resource): Resource<PartialObjectMetadata> {
  return Object.freeze({ ...resource, metadataOnly: true });
}
