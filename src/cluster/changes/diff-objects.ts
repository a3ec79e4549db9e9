import type { KubeObject } from '../../sdk/api/index.ts';
import { applyObjects, type AppliedObject, type ApplyRequest } from '../apply/apply-objects.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { isNotFound, isTypeNotServed, type KubeClient } from '../../sdk/kube/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import type { Member } from '../inventory/members.ts';
import { compareObjects, type ComparedObject } from './compare-objects.ts';

/**
 * Effect of an apply on an object. `not-compared`: the object exists, but its state after an apply cannot be determined yet. `pruned`: the
 * manifests no longer contain the object, so it would be deleted.
 */
export type DiffAction = 'created' | 'changed' | 'pruned' | 'unchanged' | 'not-compared';

/** Difference that an apply would make to an object. */
export interface ObjectDiff extends ComparedObject {
  readonly object: ClusterObject;
  readonly action: DiffAction;
  /** Managers of client-side apply whose fields the apply would take over. */
  readonly takesOver: readonly string[];
  /** The object as the API server returned it: in the dry run, or for a pruned object, as it exists on the cluster. */
  readonly live: KubeObject | undefined;
}

type DiffRequest = Omit<ApplyRequest, 'dryRun' | 'onOutcome'>;

/**
 * Determines by dry runs how an apply would change each object. Changes nothing. An object whose definition is part of the manifest and not
 * yet on the cluster counts as new. Two kinds of objects cannot be compared: those whose CustomResourceDefinition would change, and those
 * for which the API server calls a webhook without support for dry runs.
 *
 * @throws OpSdkError with all findings, as `applyObjects` does
 */
export async function diffObjects(request: DiffRequest): Promise<readonly ObjectDiff[]> {
  const planned = await applyObjects({ ...request, dryRun: true });
  return planned.map(diffOf);
}

function diffOf({ object, before, live, outcome }: AppliedObject): ObjectDiff {
  // If the server returned no object in the dry run, a new object is taken from the manifest.
  const after = live ?? (before === undefined ? object.object : undefined);
  const compared = compareObjects(before, after);
  const { takesOver = [], changes = [] } = outcome;
  const action =
    before === undefined
      ? 'created'
      : after === undefined
        ? 'not-compared'
        : changes.length > 0
          ? 'changed'
          : 'unchanged';
  return { ...compared, changes, object, action, takesOver, live };
}

/**
 * Reads from the cluster the members of the ApplySet's inventory that the manifests no longer contain. Members that have been deleted
 * meanwhile are left out.
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
