import { type JsonMap, asText, isJsonMap, jsonMapOf, compareCodeUnits } from '../../base/util/json-map.ts';
import { type ManifestObject, type PlacedObject, describeObject } from '../../kubernetes/yaml/index.ts';
import type { FindingList } from '../../base/errors/index.ts';
import type { ObjectReader } from './object-reader.ts';

/** Maps each image name, as it is written in the objects, to the name of the same image with a digest. */
export type ImagePins = ReadonlyMap<string, string>;

/**
 * Maps an image reference to its replacement. Called for the images of a Deployment's containers and variables, and for the list of related
 * images and the annotation of a ClusterServiceVersion.
 */
type EachImage = (image: string) => string;

/** Returns the names of all images in the objects of a bundle, sorted and without duplicates. */
export function namedImages(objects: readonly PlacedObject[]): readonly string[] {
  const found = new Set<string>();
  for (const { object } of objects)
    withImages(object, (image) => {
      found.add(image);
      return image;
    });
  return [...found].sort();
}

/** Replaces image names by names with a digest. Images without an entry in `pins` are left unchanged. */
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

/** An image that the operator needs, or that the workloads which it creates need. Mirroring tools copy the images in this list. */
export interface RelatedImage {
  readonly name: string;
  readonly image: string;
}

/** A container of a Deployment, with its path in the Deployment. */
export interface Container {
  readonly deployment: PlacedObject;
  readonly container: JsonMap;
  /** Path of the container, such as `spec.template.spec.containers[0]`. */
  readonly path: readonly (string | number)[];
}

const podSpec = ['spec', 'template', 'spec'] as const;
const PREFIX = 'RELATED_IMAGE_';

/** Returns the containers and init containers of the Deployments. */
export function containersOf(read: ObjectReader, deployments: readonly PlacedObject[]): readonly Container[] {
  return deployments.flatMap((deployment) =>
    ['initContainers', 'containers'].flatMap((list) =>
      read.maps(deployment, ...podSpec, list).map((container, index) => ({
        deployment,
        container,
        path: [...podSpec, list, index],
      })),
    ),
  );
}

/**
 * Returns the images that the variables `RELATED_IMAGE_<NAME>` of all containers name, and the images that the base lists. With `all`, also
 * returns the images of the containers, under the containers' names, unless they are already listed. The name of an image from a variable
 * is `<NAME>` in lower case with `-` for `_`. If two variables give different images the same name, each name is prefixed with the name of
 * the Deployment.
 */
export function relatedImages(
  findings: FindingList,
  containers: readonly Container[],
  base: PlacedObject,
  read: ObjectReader,
  { all = false }: { readonly all?: boolean } = {},
): readonly RelatedImage[] {
  const listed = listedImages(findings, base, read);
  const variables = containers.flatMap((container) => variableImages(findings, container));
  const known = new Set([...variables, ...listed].map(({ image }) => image));
  const found = [...variables, ...(all ? containers.flatMap((container) => ownImage(container, known)) : [])];
  const named = found.map(({ name, image, deployment }) => {
    const clashes = found.some((other) => other.name === name && other.image !== image);
    return { name: clashes ? `${deployment}-${name}` : name, image };
  });
  const byName = new Map<string, RelatedImage>();
  for (const related of [...named, ...listed]) {
    // For a related image without a name, use the image itself as the key, because some tools list images without names.
    const key = related.name === '' ? ` ${related.image}` : related.name;
    const present = byName.get(key);
    if (present !== undefined && present.image !== related.image) {
      findings.add({
        code: 'bundle/related-image',
        message: `the name ${related.name} of a related image is used for two different images: ${present.image} and ${related.image}`,
        where: base.where,
        fix: ['give the two images different names, or both the same image'],
      });
    }
    byName.set(key, present ?? related);
  }
  return [...byName.values()].sort(
    (a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.image, b.image),
  );
}

function listedImages(
  findings: FindingList,
  base: PlacedObject,
  read: ObjectReader,
): readonly RelatedImage[] {
  return read.maps(base, 'spec', 'relatedImages').flatMap(({ name = '', image }, index) => {
    if (typeof name === 'string' && typeof image === 'string' && image !== '') return [{ name, image }];
    findings.add({
      code: 'bundle/related-image',
      message: `spec.relatedImages[${index}] of the base ClusterServiceVersion has no image, or a name that is not a text`,
      where: base.where,
      fix: ['write name and image'],
    });
    return [];
  });
}

/** Returns the container's own image, unless `known` contains it. */
function ownImage(
  { deployment, container }: Container,
  known: ReadonlySet<string>,
): readonly (RelatedImage & { readonly deployment: string })[] {
  const image = asText(container['image']);
  if (image === '' || known.has(image)) return [];
  return [{ name: asText(container['name']), image, deployment: deployment.object.metadata.name }];
}

function variableImages(
  findings: FindingList,
  { deployment, container }: Container,
): readonly (RelatedImage & { readonly deployment: string })[] {
  const { name } = deployment.object.metadata;
  return environment(container).flatMap((variable) => {
    if (!isRelatedImageVariable(variable)) return [];
    const variableName = asText(variable['name']);
    const image = variable['value'];
    if (typeof image !== 'string' || image === '') {
      findings.add({
        code: 'bundle/related-image',
        message: `${describeObject(deployment.object)}: the environment variable ${variableName} has no literal value, so its image is not known before the operator runs`,
        where: deployment.where,
        fix: [`give ${variableName} the image as its value`],
      });
      return [];
    }
    return [
      {
        name: variableName.slice(PREFIX.length).toLowerCase().replaceAll('_', '-'),
        image,
        deployment: name,
      },
    ];
  });
}

/** Returns true for an environment variable `RELATED_IMAGE_<NAME>`, by which mirroring tools find an image. */
function isRelatedImageVariable({ name }: JsonMap): boolean {
  return typeof name === 'string' && name.startsWith(PREFIX);
}

/** Returns the environment variables of a container. */
export function environment(container: JsonMap): readonly JsonMap[] {
  const env = container['env'];
  return Array.isArray(env) ? (env as unknown[]).filter(isJsonMap) : [];
}
