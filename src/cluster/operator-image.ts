import type { Finding } from '../errors/index.ts';
import type { PlacedObject } from '../util/manifest-object.ts';

/** The image that scaffolds begin with, and what it becomes when a registry and tag are filled in. */
const defaultImages = new Set(['controller', 'controller:latest', 'docker.io/library/controller:latest']);

interface PodSpec {
  readonly containers?: unknown;
  readonly initContainers?: unknown;
}

/** The images of all containers in the Pod templates of an object. */
function imagesOf({ object }: PlacedObject): readonly string[] {
  const spec = record(object['spec']);
  const jobSpec = record(record(spec['jobTemplate'])['spec']);
  const podSpecs: readonly PodSpec[] = [
    ...(object.kind === 'Pod' ? [spec] : []),
    record(record(spec['template'])['spec']),
    record(record(jobSpec['template'])['spec']),
  ];
  return podSpecs
    .flatMap(({ containers, initContainers }) => [containers, initContainers])
    .flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    .flatMap((container) => {
      const { image } = record(container);
      return typeof image === 'string' ? [image] : [];
    });
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A warning for each object whose containers have the image that scaffolds begin with, which no registry has. */
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
          'make and push one under a name of yours: op-sdk image build --tag <registry>/<name>:<tag> --push',
          'and name it: --image <registry>/<name>:<tag>, or make deploy IMG=<registry>/<name>:<tag>',
        ],
      } satisfies Finding,
    ];
  });
}

/** A finding if no container has the image that was asked for: then the manifest was rendered without it. */
export function imageNotUsed(objects: readonly PlacedObject[], image: string): Finding | undefined {
  // An image without a tag takes that of the container.
  const isMeant = (each: string): boolean => each === image || each.startsWith(`${image}:`);
  if (objects.some((placed) => imagesOf(placed).some(isMeant))) return undefined;
  return {
    code: 'cluster/image-not-used',
    message: `no container has the image ${image}: the manifest has none that is named controller`,
    where: { flag: '--image' },
    fix: [
      'name the image of the container controller:latest in config/manager/manager.yaml, and leave the rest to --image',
    ],
  };
}
