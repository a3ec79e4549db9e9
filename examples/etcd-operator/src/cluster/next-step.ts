import { votingLabel } from './names.ts';
import { hasEnded, instanceOf, isDeleting, isUnnamed, quorumOf, tokenOf, type Observed } from './observed.ts';
import { nextMembershipStep } from './membership-step.ts';
import { nextRolloutStep } from './rollout-step.ts';
import { nextStepWithoutQuorum } from './quorum-step.ts';
import { seedOf } from './start-member.ts';
import { wait, type Step } from './step.ts';

/**
 * Returns the next step of a cluster. It is one at a time, and each may run twice: the operator can end after any call, and begins again
 * with what is there then.
 *
 * 1. What an EtcdRestore asks for comes first: the data of the members that are there is given up.
 * 2. Pods that have ended are deleted. With a claim they come back, without one their member is lost.
 * 3. Without a quorum nothing can be changed: Pods whose data is there are started, and the loss of a quorum is recognized.
 * 4. With a quorum, members that were added are completed, and those that are lost are removed.
 * 5. If all members are healthy, versions and Pods are brought up to date, and the number of members to the size.
 */
export function nextStep(observed: Observed): Step {
  return (
    adoption(observed) ??
    restoration(observed) ??
    cleaning(observed) ??
    (hasQuorum(observed)
      ? (nextMembershipStep(observed) ?? publication(observed) ?? nextRolloutStep(observed))
      : nextStepWithoutQuorum(observed))
  );
}

/** An EtcdCluster that was deleted without its Pods, and created again, finds them without an owner. */
function adoption({ instances, cluster }: Observed): Step | undefined {
  const isOrphan = (object: Observed['instances'][number]['pod' | 'claim']): boolean =>
    object !== undefined && !isDeleting(object) && !isControlled(object.metadata.ownerReferences, cluster);
  const members = instances
    .filter(({ pod, claim }) => isOrphan(pod) || isOrphan(claim))
    .map(({ name }) => name);
  return members.length === 0 ? undefined : { type: 'Adopt', reason: 'AdoptingMembers', members };
}

function isControlled(
  references: readonly { readonly uid: string }[] | undefined,
  { metadata }: Observed['cluster'],
): boolean {
  return references?.some(({ uid }) => uid === metadata.uid) ?? false;
}

function restoration(observed: Observed): Step | undefined {
  const { restore, instances } = observed;
  if (restore === undefined) return undefined;
  const old = instances.filter((instance) => tokenOf(instance) !== restore.restore.uid);
  const members = old
    .filter(({ pod, claim }) => [pod, claim].some((object) => object !== undefined && !isDeleting(object)))
    .map(({ name }) => name);
  if (members.length > 0) return { type: 'Delete', reason: 'DiscardingMembers', members, withData: true };
  if (old.length > 0) return wait('WaitingForDeletion');
  if (instances.length > 0) return undefined;
  return { type: 'Start', reason: 'RestoringSeed', member: seedOf(observed, restore) };
}

function cleaning({ instances }: Observed): Step | undefined {
  const dead = instances.find(({ pod }) => pod !== undefined && hasEnded(pod) && !isDeleting(pod));
  return dead && { type: 'Delete', reason: 'RemovingDeadPod', members: [dead.name], withData: false };
}

function hasQuorum(observed: Observed): boolean {
  const { members, isLocalList } = observed;
  if (members === undefined || isLocalList === true) return false;
  const voters = members.filter(({ isLearner }) => isLearner !== true);
  const healthy = voters.filter((voter) => {
    const report = instanceOf(observed, voter)?.report;
    return report?.isHealthy === true && !report.isLearner;
  });
  return healthy.length >= quorumOf(voters.length);
}

function publication(observed: Observed): Step | undefined {
  const { members = [] } = observed;
  const names = members.flatMap((member) => {
    if (isUnnamed(member) || member.isLearner === true) return [];
    const { pod, name, report } = instanceOf(observed, member) ?? {};
    const isNew = pod?.metadata.labels?.[votingLabel.key] !== votingLabel.value;
    return pod !== undefined && name !== undefined && isNew && report?.isHealthy === true ? [name] : [];
  });
  return names.length === 0 ? undefined : { type: 'Publish', reason: 'PublishingMembers', members: names };
}
