import type { Finding } from '../base/errors/index.ts';
import type { ManifestObject, PlacedObject } from '../kubernetes/yaml/index.ts';

/** Names of the placeholder image in newly scaffolded projects, including the form with the default registry and tag. */
const defaultImages = new Set(['controller', 'controller:latest', 'docker.io/library/controller:latest']);

/** Returns the containers in the Pod templates of an object. */
function containersOf(object: ManifestObject): readonly Record<string, unknown>[] {
  const spec = record(object['spec']);
  const jobSpec = record(record(spec['jobTemplate'])['spec']);
  const podSpecs: readonly Record<string, unknown>[] = [
    ...(object.kind === 'Pod' ? [spec] : []),
    record(record(spec['template'])['spec']),
    record(record(jobSpec['template'])['spec']),
  ];
  return podSpecs
    .flatMap(({ containers, initContainers }) => [containers, initContainers])
    .flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    .map(record);
}

function imagesOf({ object }: PlacedObject): readonly string[] {
  return containersOf(object).flatMap(({ image }) => (typeof image === 'string' ? [image] : []));
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * Returns a warning for each object whose containers use the placeholder image of newly scaffolded projects, which does not exist in any
 * registry.
 */
export function defaultImageWarnings(objects: readonly PlacedObject[]): readonly Finding[] {
  return objects.flatMap((placed) => {
    const image = imagesOf(placed).find((each) => defaultImages.has(each));
    if (image === undefined) return [];
    const { kind, metadata } = placed.object;
    return [
      {
        code: 'cluster/default-image',
        message: `${kind} ${metadata.name}: the image is still ${image}, which a cluster cannot pull`,
        where: placed.where,
        fix: [
          'build and push an image under a name of yours: op-sdk image build --tag <registry>/<name>:<tag> --push',
          'and name this image: --image <registry>/<name>:<tag>, or make deploy IMG=<registry>/<name>:<tag>',
        ],
      } satisfies Finding,
    ];
  });
}

/**
 * Returns a finding if no container uses an image with the given name, so that a replacement of this image would have no effect.
 *
 * @param name name of the image, without tag and digest
 */
export function imageNotUsed(objects: readonly PlacedObject[], name: string): Finding | undefined {
  if (objects.some((placed) => imagesOf(placed).some((image) => isNamed(image, name)))) return undefined;
  return {
    code: 'cluster/image-not-used',
    message: `--image has no effect: it replaces the image ${name}, and no container of the manifests has this image`,
    where: { flag: '--image' },
    fix: [
      'give the container in config/manager/manager.yaml the image controller:latest, which --image then replaces',
    ],
  };
}

/**
 * Replaces the image of containers in the objects, as kustomize's `images` does. If the new image has neither tag nor digest, the existing
 * tag is kept.
 *
 * @param name name of the image to replace, without tag and digest
 */
export function replaceImage(
  objects: readonly PlacedObject[],
  name: string,
  image: string,
): readonly PlacedObject[] {
  const isWhole = image.includes('@') || image.lastIndexOf(':') > image.lastIndexOf('/');
  return objects.map(({ object, where }) => {
    const copy = structuredClone(object);
    for (const container of containersOf(copy)) {
      const present = container['image'];
      if (typeof present !== 'string' || !isNamed(present, name)) continue;
      container['image'] = isWhole ? image : `${image}${present.slice(name.length)}`;
    }
    return { object: copy, where };
  });
}

function isNamed(image: string, name: string): boolean {
  return image === name || image.startsWith(`${name}:`) || image.startsWith(`${name}@`);
}
