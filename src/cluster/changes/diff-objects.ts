import type { KubeObject } from '../../sdk/api/index.ts';
import { applyObjects, type AppliedObject, type ApplyRequest } from '../apply/apply-objects.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { isNotFound, isTypeNotServed, type KubeClient } from '../../sdk/kube/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import type { Member } from '../inventory/members.ts';
import { compareObjects, type ComparedObject } from './compare-objects.ts';

/** `not-compared`: the object exists, but its state after an apply cannot be determined yet. `pruned`: it has left the manifests. */
export type DiffAction = 'created' | 'changed' | 'pruned' | 'unchanged' | 'not-compared';

/** Difference that an apply would make to an object. */
export interface ObjectDiff extends ComparedObject {
  readonly object: ClusterObject;
  readonly action: DiffAction;
  /** The managers of client-side apply whose fields would be taken over. */
  readonly takesOver: readonly string[];
  /** The object as the API server returned it. */
  readonly live: KubeObject | undefined;
}

type DiffRequest = Omit<ApplyRequest, 'dryRun' | 'onOutcome'>;

/**
 * Determines by dry runs how an apply would change each object, and changes nothing. An object whose kind comes with the manifest is new.
 * An object whose CustomResourceDefinition would change cannot be compared before that, nor one that passes a webhook without support for
 * dry runs.
 *
 * @throws OpSdkError with all findings, as `applyObjects` does
 */
export async function diffObjects(request: DiffRequest): Promise<readonly ObjectDiff[]> {
  const planned = await applyObjects({ ...request, dryRun: true });
  return planned.map(diffOf);
}

function diffOf({ object, before, live, outcome }: AppliedObject): ObjectDiff {
  // Without a response of the server, a new object is taken from the manifest.
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
