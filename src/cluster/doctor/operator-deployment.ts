import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';

interface PodTemplate {
  readonly containers?: readonly { readonly image?: string }[];
  readonly initContainers?: readonly { readonly image?: string }[];
}

/** The Deployments among the objects of a project: the operator, as a rule the only one. */
export function deploymentsOf(objects: readonly PlacedObject[]): readonly ManifestObject[] {
  return objects
    .map(({ object }) => object)
    .filter(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'Deployment');
}

/** The images that a Deployment runs, each once. */
export function imagesOf(deployment: ManifestObject): readonly string[] {
  const spec = deployment['spec'] as { readonly template?: { readonly spec?: PodTemplate } } | undefined;
  const { containers = [], initContainers = [] } = spec?.template?.spec ?? {};
  const images = [...initContainers, ...containers].map(({ image }) => image);
  return [...new Set(images.filter((image) => image !== undefined))];
}

/** True for the image of a new scaffold, which no registry has. */
export function isDefaultImage(image: string): boolean {
  return /^controller(?::latest)?$/.test(image);
}
