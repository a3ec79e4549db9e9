import { type JsonMap, asText, isJsonMap, jsonMapOf } from '../../base/util/json-map.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/index.ts';
import { isRelatedImageVariable } from './related-images.ts';

/** The names of images as they are written, and the same images by digest. */
export type ImagePins = ReadonlyMap<string, string>;

/** Visits each name of an image: a Deployment's containers and variables, a ClusterServiceVersion's list and annotation. */
type EachImage = (image: string) => string;

/** The names of all images that objects of a bundle name, sorted, each once. */
export function namedImages(objects: readonly PlacedObject[]): readonly string[] {
  const found = new Set<string>();
  for (const { object } of objects)
    withImages(object, (image) => {
      found.add(image);
      return image;
    });
  return [...found].sort();
}

/** The objects with their images by digest; images without a pin stay as they are. */
export function pinImages<T extends PlacedObject>(objects: readonly T[], pins: ImagePins): readonly T[] {
  return objects.map((placed) => ({
    ...placed,
    object: withImages(placed.object, (image) => pins.get(image) ?? image),
  }));
}

function withImages(object: ManifestObject, each: EachImage): ManifestObject {
  if (object.kind === 'Deployment') return { ...object, spec: inDeployment(object['spec'], each) };
  if (object.kind !== 'ClusterServiceVersion') return object;
  const { annotations } = object.metadata;
  const image = annotations?.['containerImage'] ?? '';
  const spec = jsonMapOf(object['spec']);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(image === '' ? {} : { annotations: { ...annotations, containerImage: each(image) } }),
    },
    ...(object['spec'] === undefined
      ? {}
      : { spec: withItems(spec, 'relatedImages', (item) => withText(item, 'image', each)) }),
  };
}

function inDeployment(spec: unknown, each: EachImage): unknown {
  if (!isJsonMap(spec) || !isJsonMap(spec['template']) || !isJsonMap(spec['template']['spec'])) return spec;
  const container = (item: JsonMap): JsonMap =>
    withItems(withText(item, 'image', each), 'env', (variable) =>
      isRelatedImageVariable(variable) ? withText(variable, 'value', each) : variable,
    );
  const pod = ['initContainers', 'containers'].reduce(
    (result: JsonMap, list) => withItems(result, list, container),
    spec['template']['spec'],
  );
  return { ...spec, template: { ...spec['template'], spec: pod } };
}

function withText(map: JsonMap, key: string, each: EachImage): JsonMap {
  const text = asText(map[key]);
  return text === '' ? map : { ...map, [key]: each(text) };
}

function withItems(map: JsonMap, key: string, each: (item: JsonMap) => JsonMap): JsonMap {
  const items = map[key];
  if (!Array.isArray(items)) return map;
  return { ...map, [key]: (items as unknown[]).map((item) => (isJsonMap(item) ? each(item) : item)) };
}
