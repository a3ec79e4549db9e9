import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';

/** An object that comes from no file, placed by its own name. */
export function placedObject(object: ManifestObject): PlacedObject {
  const { kind, metadata } = object;
  const namespace = metadata['namespace'];
  const place = typeof namespace === 'string' ? ` -n ${namespace}` : '';
  return { object, where: { object: `${kind.toLowerCase()}/${metadata.name}${place}` } };
}
