import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../bundle/index.ts';
import type { RunNames } from '../run-names.ts';

/**
 * A catalogue that a Pod serves from ConfigMaps, as in operator-sdk. It is intended for users who may not push an image. Works only with
 * OLM v0.
 */
export interface PodCatalog {
  readonly names: RunNames;
  readonly packageName: string;
  readonly namespace: string;
  /** Image that contains the opm that serves the catalogue. */
  readonly indexImage: string;
  /** Image that contains the gzip that unpacks the ConfigMaps. */
  readonly decompressionImage: string;
  /** Bundles that were added to the catalogue; the newest one is last. */
  readonly bundles: readonly InjectedBundle[];
  /** All documents of the catalogue, in YAML. */
  readonly documents: readonly string[];
  /** ServiceAccount of the Pod. Default: the ServiceAccount `default` of the namespace. */
  readonly serviceAccount?: string | undefined;
  /** Image pull policy of the container that runs opm. */
  readonly imagePullPolicy: ImagePullPolicy;
  readonly securityContext: 'restricted' | 'legacy';
  /** Name of the Secret for pulling the images of the Pod, and of the Job that unpacks the bundle. */
  readonly pullSecret?: string | undefined;
}

type ImagePullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** A bundle in the format in which operator-sdk records it in an annotation of the CatalogSource. */
export interface InjectedBundle {
  readonly imageTag: string;
  /** Mode in which a bundle is added to a database catalogue; has no effect for file-based catalogues. */
  readonly mode: string;
}

/** Image with which operator-sdk serves catalogues by default. It contains opm, but no catalogue. */
export const defaultIndexImage = 'quay.io/operator-framework/opm:latest';

/** Image with which operator-sdk unpacks ConfigMaps by default. */
export const defaultDecompressionImage = 'registry.access.redhat.com/ubi9/ubi:9.8';

const prefix = 'operators.operatorframework.io';
const annotations = {
  indexImage: `${prefix}/index-image`,
  bundles: `${prefix}/injected-bundles`,
  pod: `${prefix}/registry-pod-name`,
} as const;

/** Returns the entry for a bundle in the annotation that lists the bundles added to the catalogue of an index image. */
export function injectedBundle(image: string, indexImage: string): InjectedBundle {
  const isDefault = indexImage.startsWith(defaultIndexImage.replace(/latest$/, ''));
  return { imageTag: image, mode: isDefault ? 'semver' : 'replaces' };
}

/**
 * Returns the annotations of a CatalogSource that record the contents of the catalogue. The next upgrade, by op-sdk or operator-sdk, reads
 * them.
 */
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

/** The Pod that serves a catalogue, and its contents, as recorded in the annotations of the CatalogSource. */
interface ServedByPod {
  readonly indexImage: string;
  readonly bundles: readonly InjectedBundle[];
  readonly pod: string;
}

/** Reads from the annotations of a CatalogSource which Pod serves it. Returns undefined if no Pod serves it. */
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
