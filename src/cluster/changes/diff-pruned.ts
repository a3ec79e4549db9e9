import { isNotFound, isTypeNotServed, type KubeClient } from '../../sdk/kube/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import type { Member } from '../inventory/members.ts';
import { compareObjects } from './compare-objects.ts';
import type { ObjectDiff } from './diff-objects.ts';

/**
 * Reads the members that have left the manifests from the cluster; those that are gone meanwhile are left out.
 *
 * @throws ApiError, TransportError
 */
export async function diffPruned(
  client: KubeClient,
  members: readonly Member[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly ObjectDiff[]> {
  const diffs = await inParallel(members, async (object): Promise<readonly ObjectDiff[]> => {
    try {
      const live = await client.find(object.resource, object.key, options);
      if (live?.metadata.uid !== object.live.metadata.uid) return [];
      return [{ ...compareObjects(live, undefined), object, action: 'pruned', takesOver: [], live }];
    } catch (error) {
      if (isNotFound(error) || isTypeNotServed(error)) return [];
      throw error;
    }
  });
  return diffs.flat();
}
