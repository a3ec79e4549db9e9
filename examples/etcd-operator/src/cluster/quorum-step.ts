import {
  instanceOf,
  isDeleting,
  isFailing,
  isRecoverable,
  quorumOf,
  wantedSize,
  type Instance,
  type Observed,
} from './observed.ts';
import { returningMember, seedOf } from './start-member.ts';
import { wait, type Step } from './step.ts';

/** Returns the next step while members cannot be changed: nobody answers, or those who do have no quorum. */
export function nextStepWithoutQuorum(observed: Observed): Step {
  const { instances, hasFormed, now } = observed;
  const first = instances[0];
  // A cluster that has had members and has none now is not a new one.
  if (first === undefined && !hasFormed)
    return { type: 'Start', reason: 'StartingSeed', member: seedOf(observed) };
  const stopped = instances.find(isStopped);
  if (stopped !== undefined)
    return {
      type: 'Start',
      reason: hasFormed ? 'StartingMember' : 'StartingSeed',
      member: returningMember(observed, stopped.name),
    };
  if (!hasFormed) {
    // It has no data yet that could be lost.
    const { pod, name = '' } = first ?? {};
    if (pod !== undefined && !isDeleting(pod) && isFailing(pod, now))
      return { type: 'Delete', reason: 'ReplacingSeed', members: [name], withData: true };
    return wait('WaitingForSeed');
  }
  const { recoverable, voters } = survivors(observed);
  if (recoverable >= quorumOf(voters))
    return wait('WaitingForQuorum', `${recoverable} of ${voters} members can come back`);
  const message = `${voters - recoverable} of ${voters} members are lost with their data`;
  if (observed.restore !== undefined || observed.recovery === 'forbidden') return wait('QuorumLost', message);
  if (observed.recovery === 'running') return wait('WaitingForRecovery', message);
  if (observed.recovery === 'failed') return wait('RecoveryFailed', message);
  return { type: 'Recover', reason: 'StartingRecovery' };
}

/** A claim waits for its Pod. */
function isStopped({ pod, claim }: Instance): boolean {
  return pod === undefined && claim !== undefined && !isDeleting(claim);
}

/** Counts the voters, and those of them whose data may come back. Pods that do not start are not given up: the reason may pass. */
function survivors(observed: Observed): { readonly voters: number; readonly recoverable: number } {
  const { members, instances, cluster, now } = observed;
  if (members === undefined) {
    const voters = cluster.status?.size || wantedSize(cluster);
    return { voters, recoverable: instances.filter((each) => isRecoverable(each, now)).length };
  }
  const voters = members.filter(({ isLearner }) => isLearner !== true);
  const recoverable = voters.filter((member) => {
    const instance = instanceOf(observed, member);
    return instance !== undefined && isRecoverable(instance, now);
  });
  return { voters: voters.length, recoverable: recoverable.length };
}
