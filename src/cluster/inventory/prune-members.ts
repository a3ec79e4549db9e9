import { FindingList } from '../../base/errors/index.ts';
import { isConflict, isNotFound, isTypeNotServed, type KubeClient } from '../../sdk/kube/index.ts';
import { refusalAfter } from '../apply/installable-crds.ts';
import { outcomeOf, type ObjectOutcome, deleteOrder } from '../objects/cluster-object.ts';
import { deleteObject } from '../remove/namespace-objects.ts';
import { isMadeByOthers } from './leftovers.ts';
import type { Member } from './members.ts';
import { applySetOf } from './contents.ts';

interface PruneRequest {
  readonly client: KubeClient;
  /** Id of the ApplySet. Objects that have left the ApplySet since they were listed are not deleted. */
  readonly id: string;
  readonly members: readonly Member[];
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onOutcome?: ((outcome: ObjectOutcome, title: string) => void) | undefined;
}

/**
 * Maximum number of attempts to delete one object. If the object changes between reading and deletion, for example because a controller
 * writes it, it is read again for the next attempt.
 */
const tries = 20;

/**
 * Deletes members of an ApplySet that have left the manifests, in the order of `undeploy`. The dependents of the members are deleted in the
 * background. Each member is read immediately before its deletion, and deleted only if it is still in the state that was read. An object is
 * kept if it is another object of the same name, if its ApplySet label has changed, or if a controller owns it.
 *
 * @returns the members that no longer exist; members that still wait for their finalizers are not included
 * @throws OpSdkError with the findings of all members that could not be deleted
 */
export async function pruneMembers(request: PruneRequest): Promise<readonly Member[]> {
  const findings = new FindingList();
  const gone: Member[] = [];
  for (const member of ordered(request.members)) {
    try {
      if (await pruneMember(request, member)) request.onOutcome?.(outcomeOf(member, 'pruned'), member.title);
      if (request.dryRun !== true && !(await isThere(request, member))) gone.push(member);
    } catch (error) {
      findings.add(...refusalAfter(findings.all, error, member));
    }
  }
  findings.throwIfAny();
  return gone;
}

function ordered(members: readonly Member[]): readonly Member[] {
  const order = deleteOrder(members);
  return [...members].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** @returns true if the member was deleted */
async function pruneMember({ client, id, dryRun, signal }: PruneRequest, member: Member): Promise<boolean> {
  const { resource, key } = member;
  for (let left = tries; ; left -= 1) {
    try {
      const live = await client.find(resource, key, { signal });
      const { uid, resourceVersion, deletionTimestamp } = live?.metadata ?? {};
      if (live === undefined || uid === undefined || uid !== member.live.metadata.uid) return false;
      if (deletionTimestamp !== undefined || applySetOf(live) !== id || isMadeByOthers(member, live))
        return false;
      await deleteObject(client, member, { preconditions: { uid, resourceVersion }, dryRun, signal });
      return true;
    } catch (error) {
      if (isNotFound(error) || isTypeNotServed(error)) return false;
      if (!isConflict(error) || left === 0) throw error;
    }
  }
}

async function isThere({ client, signal }: PruneRequest, { resource, key, live }: Member): Promise<boolean> {
  try {
    return (await client.find(resource, key, { signal }))?.metadata.uid === live.metadata.uid;
  } catch (error) {
    if (isTypeNotServed(error)) return false;
    throw error;
  }
}
