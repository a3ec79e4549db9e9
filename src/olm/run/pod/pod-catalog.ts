import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../bundle/index.ts';
import type { RunNames } from '../run-names.ts';

/** A catalogue that a Pod serves from ConfigMaps, as in operator-sdk: for users who may not push an image. OLM v0 only. */
export interface PodCatalog {
  readonly names: RunNames;
  readonly packageName: string;
  readonly namespace: string;
  /** Image whose opm serves the catalogue. */
  readonly indexImage: string;
  /** Image whose gzip unpacks the ConfigMaps. */
  readonly decompressionImage: string;
  /** Bundles that were added to the catalogue, the new one last. */
  readonly bundles: readonly InjectedBundle[];
  /** The documents of the whole catalogue, in YAML. */
  readonly documents: readonly string[];
  /** ServiceAccount of the Pod. Default: the default one of the namespace. */
  readonly serviceAccount?: string | undefined;
  /** Pull policy of the container with opm. */
  readonly imagePullPolicy: ImagePullPolicy;
  readonly securityContext: 'restricted' | 'legacy';
  /** Secret for pulling the images of the Pod and of the Job that unpacks the bundle. */
  readonly pullSecret?: string | undefined;
}

type ImagePullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** A bundle in the form of operator-sdk's annotation. */
export interface InjectedBundle {
  readonly imageTag: string;
  /** Mode of adding it to a database; without meaning for file-based catalogues. */
  readonly mode: string;
}

/** Default image with which operator-sdk serves catalogues: an opm without a catalogue. */
export const defaultIndexImage = 'quay.io/operator-framework/opm:latest';

/** Image with which operator-sdk unpacks ConfigMaps. */
export const defaultDecompressionImage = 'registry.access.redhat.com/ubi9/ubi:9.8';

const prefix = 'operators.operatorframework.io';
const annotations = {
  indexImage: `${prefix}/index-image`,
  bundles: `${prefix}/injected-bundles`,
  pod: `${prefix}/registry-pod-name`,
} as const;

/** Returns the record of a bundle that is added to the catalogue of an index image. */
export function injectedBundle(image: string, indexImage: string): InjectedBundle {
  const isDefault = indexImage.startsWith(defaultIndexImage.replace(/latest$/, ''));
  return { imageTag: image, mode: isDefault ? 'semver' : 'replaces' };
}

/** Returns the annotations from which the next upgrade, by op-sdk or operator-sdk, reads the contents of the catalogue. */
export function podAnnotations(
  { indexImage, bundles }: Pick<PodCatalog, 'indexImage' | 'bundles'>,
  pod: string,
): Readonly<Record<string, string>> {
  return {
    [annotations.indexImage]: indexImage,
    [annotations.bundles]: JSON.stringify(bundles.map(({ imageTag, mode }) => ({ imageTag, mode }))),
    [annotations.pod]: pod,
  };
}

/** Server of a CatalogSource, by its annotations. */
interface ServedByPod {
  readonly indexImage: string;
  readonly bundles: readonly InjectedBundle[];
  readonly pod: string;
}

/** Reads from a CatalogSource which Pod serves it; undefined if none does. */
export function servedByPod(catalog: KubeObject | undefined): ServedByPod | undefined {
  const { [annotations.indexImage]: indexImage = '', [annotations.pod]: pod = '' } =
    catalog?.metadata.annotations ?? {};
  if (textOf(fieldAt(catalog, 'spec', 'image')) !== '' || pod === '') return undefined;
  return { indexImage, pod, bundles: bundlesOf(catalog?.metadata.annotations?.[annotations.bundles]) };
}

function bundlesOf(text = ''): readonly InjectedBundle[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  return listOf(value).map((item) => {
    const { imageTag, mode } = mapOf(item);
    return { imageTag: textOf(imageTag), mode: textOf(mode) };
  });
}
