import type { JsonMap } from '../../../base/util/json-map.ts';
import { configsFolder } from './catalog-layer.ts';

/** The versions of OLM that a catalogue may be for. */
export const olmVersions = ['v0', 'v1'] as const;
export type OlmVersion = (typeof olmVersions)[number];

/** Name of a catalogue on the cluster, and its image. */
export interface ClusterCatalogue {
  readonly name: string;
  /** Namespace of the CatalogSource. */
  readonly namespace: string;
  /** With its digest. */
  readonly image: string;
}

/**
 * The object that makes a catalogue known to OLM. One image serves both versions: OLM v0 takes the files out of it and serves them by an
 * opm of its own, for which there must not be a cache in the image (`cacheDir`).
 */
export function catalogObject({ name, namespace, image }: ClusterCatalogue, olm: OlmVersion): JsonMap {
  if (olm === 'v1')
    return {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterCatalog',
      metadata: { name },
      spec: { source: { type: 'Image', image: { ref: image } } },
    };
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name, namespace },
    spec: {
      sourceType: 'grpc',
      image,
      displayName: name,
      grpcPodConfig: {
        securityContextConfig: 'restricted',
        extractContent: { catalogDir: `/${configsFolder}` },
      },
    },
  };
}
