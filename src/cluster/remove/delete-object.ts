import { resourcePath, type KubeClient } from '../../sdk/kube/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';

export interface DeleteRequest {
  /** Another object that has the name by now stays. */
  readonly preconditions: { readonly uid: string; readonly resourceVersion?: string | undefined };
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Deletes one object, its dependents in the background. @throws ApiError */
export async function deleteObject(
  client: KubeClient,
  { resource, key }: Pick<ClusterObject, 'resource' | 'key'>,
  { preconditions, dryRun, signal }: DeleteRequest,
): Promise<void> {
  await client.connection.request({
    target: { verb: 'delete', resource, ...key },
    method: 'DELETE',
    path: resourcePath(resource, key),
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions,
      ...(dryRun === true ? { dryRun: ['All'] } : {}),
    },
    signal,
  });
}
