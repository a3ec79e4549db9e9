import type { KubeObject, Resource } from '../../api/index.ts';

/** Servers that cannot do it, such as some aggregated ones, send whole objects. Source: apiserver `endpoints/handlers/response.go`. */
const accept = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** For a watch, and for one object. */
export const acceptMetadata = accept('PartialObjectMetadata');
export const acceptMetadataList = accept('PartialObjectMetadataList');

/** The server calls them `meta.k8s.io/v1 PartialObjectMetadata`; here they keep the kind that was asked for. */
export function toMetadataOnly<T extends KubeObject>(resource: Resource, object: T): T {
  const { apiVersion, kind } = resource;
  // The type of such a token's objects has no other fields.
  return { apiVersion, kind, metadata: object.metadata } as T;
}
