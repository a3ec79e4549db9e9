import type { KubeObject, ObjectOf, Resource } from '../../api/index.ts';

/** Servers that cannot do it, such as some aggregated ones, send whole objects. Source: apiserver `endpoints/handlers/response.go`. */
const accept = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** For a watch, and for one object. */
export const acceptMetadata = accept('PartialObjectMetadata');
export const acceptMetadataList = accept('PartialObjectMetadataList');

/** The server calls them `meta.k8s.io/v1 PartialObjectMetadata`; here they keep the kind that was asked for. */
export function toMetadataOnly<R extends Resource>(resource: R, object: KubeObject): ObjectOf<R> {
  const { apiVersion, kind } = resource;
  const part: KubeObject = { apiVersion, kind, metadata: object.metadata };
  return part;
}
