import type { KubeObject } from '../../sdk/api/index.ts';
import { resourcePath, type KubeClient } from '../../sdk/kube/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';

export interface WriteRequest {
  readonly signal?: AbortSignal | undefined;
  readonly dryRun?: boolean | undefined;
  /** Take over fields that others own. */
  readonly force: boolean;
}

/** Server-side apply of a whole object of a manifest, which may have a status as those of kubectl may. @throws ApiError */
export async function writeObject(
  client: KubeClient,
  { resource, key, object }: ClusterObject,
  { signal, dryRun, force }: WriteRequest,
): Promise<{ readonly live: KubeObject; readonly created: boolean }> {
  const response = await client.connection.request({
    target: { verb: 'apply', resource, ...key },
    method: 'PATCH',
    path: resourcePath(resource, key),
    query: {
      fieldManager: client.fieldManager,
      fieldValidation: 'Strict',
      force,
      dryRun: dryRun === true ? 'All' : undefined,
    },
    // JSON is YAML.
    contentType: 'application/apply-patch+yaml',
    body: object,
    signal,
  });
  return { live: response.json<KubeObject>(), created: response.status === 201 };
}

/**
 * Has the server check a new object without storing it. Unlike apply it decodes strictly in the first place, and names all
 * unknown fields at once.
 *
 * @param namespace where to check it instead of in its own namespace
 * @throws ApiError; `AlreadyExists` means that the object is valid and there
 */
export async function checkNewObject(
  client: KubeClient,
  { resource, key, object }: ClusterObject,
  {
    signal,
    namespace,
  }: { readonly signal?: AbortSignal | undefined; readonly namespace?: string | undefined },
): Promise<void> {
  const place = resource.namespaced ? { namespace: namespace ?? key.namespace } : {};
  await client.connection.request({
    target: { verb: 'create', resource, ...key },
    method: 'POST',
    path: resourcePath(resource, place),
    query: { fieldManager: client.fieldManager, fieldValidation: 'Strict', dryRun: 'All' },
    body: { ...object, metadata: { ...object.metadata, ...place } },
    signal,
  });
}
