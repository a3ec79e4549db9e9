import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, textOf } from '../../bundle/validate/fields.ts';
import type { ManifestObject } from '../../../kubernetes/yaml/manifest-object.ts';
import { podAnnotations, registryPort, type PodCatalog } from './pod-catalog.ts';

/** The CatalogSource of a catalogue before its Pod runs. It is there first, as it owns the Pod and the ConfigMaps. */
export function waitingCatalogSource({
  names,
  packageName,
  namespace,
  securityContext,
  pullSecret,
}: PodCatalog): ManifestObject {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name: names.catalog, namespace },
    spec: {
      sourceType: 'grpc',
      displayName: packageName,
      // By which operator-sdk's installations are known.
      publisher: 'operator-sdk',
      grpcPodConfig: { securityContextConfig: securityContext },
      ...(pullSecret === undefined ? {} : { secrets: [pullSecret] }),
    },
  };
}

/**
 * The CatalogSource once its Pod runs.
 *
 * @param existing as it is on the cluster
 */
export function servingCatalogSource(
  catalog: PodCatalog,
  pod: { readonly name: string; readonly ip: string },
  existing?: KubeObject,
): ManifestObject {
  const { metadata, spec, ...object } = waitingCatalogSource(catalog) as ManifestObject & {
    readonly spec: object;
  };
  const host = pod.ip.includes(':') ? `[${pod.ip}]` : pod.ip;
  return {
    ...object,
    metadata: { ...metadata, annotations: podAnnotations(catalog, pod.name) },
    spec: {
      ...spec,
      address: `${host}:${registryPort}`,
      // Left out, that of another field manager would stay.
      ...(textOf(fieldAt(existing, 'spec', 'image')) === '' ? {} : { image: '' }),
    },
  };
}
