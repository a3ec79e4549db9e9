import type { Member } from '../etcd/etcd-api.ts';
import { memberOf } from './names.ts';
import {
  instanceOf,
  isDeleting,
  isFailing,
  isLost,
  isUnnamed,
  type Instance,
  type Observed,
} from './observed.ts';
import { joiningMember, returningMember } from './start-member.ts';
import { wait, type Step } from './step.ts';

/** Returns the step that brings the Pods and the members of a cluster with a quorum together; undefined if all members are healthy. */
export function nextMembershipStep(observed: Observed): Step | undefined {
  const { members = [], instances } = observed;
  const joining = members.find((member) => isUnnamed(member) || member.isLearner === true);
  // One change at a time: a member that was added is completed first, or removed.
  if (joining !== undefined) return joinStep(observed, joining);
  for (const member of members) {
    const step = voterStep(observed, member, instanceOf(observed, member));
    if (step !== undefined) return step;
  }
  const strangers = instances.filter(({ name }) => !members.some((member) => member.name === name));
  const left = strangers.filter(({ pod, claim }) =>
    [pod, claim].some((object) => object !== undefined && !isDeleting(object)),
  );
  if (left.length > 0)
    return {
      type: 'Delete',
      reason: 'RemovingStranger',
      members: left.map(({ name }) => name),
      withData: true,
    };
  return undefined;
}

function joinStep(observed: Observed, member: Member): Step {
  const { cluster, now } = observed;
  const instance = instanceOf(observed, member);
  if (instance === undefined) {
    // The operator has ended between the member and its Pod, or somebody else has added it.
    const [url = ''] = member.peerURLs;
    // A URL with an address has no name in it: it is that of the member that would come next.
    const names = isUnnamed(member) ? [memberOf(cluster.metadata.name, url), observed.newMember] : [];
    const name = names.find((each) => each !== undefined && observed.urlOf(each) === url);
    if (name === undefined) return { type: 'Remove', reason: 'RemovingLostMember', member };
    return { type: 'Start', reason: 'StartingMember', member: joiningMember(observed, name) };
  }
  const { pod, claim, name, report } = instance;
  const isGone = (claim !== undefined && isDeleting(claim)) || (pod !== undefined && isLost(pod, now));
  if (isGone || (pod !== undefined && report === undefined && isFailing(pod, now)))
    return { type: 'Remove', reason: 'ReplacingMember', member, instance: name };
  if (pod === undefined)
    return { type: 'Start', reason: 'StartingMember', member: joiningMember(observed, name) };
  if (isUnnamed(member) || report === undefined) return wait('WaitingForMember', `${name} has not started`);
  return { type: 'Promote', reason: 'PromotingMember', member };
}

/** Returns the step about a voter that is not as it should be. */
function voterStep(observed: Observed, member: Member, instance: Instance | undefined): Step | undefined {
  const { now } = observed;
  if (instance === undefined) return { type: 'Remove', reason: 'RemovingLostMember', member };
  const { pod, claim, name, report } = instance;
  if (claim !== undefined && isDeleting(claim) && (pod === undefined || isDeleting(pod)))
    return { type: 'Remove', reason: 'RemovingLostMember', member, instance: name };
  if (pod === undefined)
    return { type: 'Start', reason: 'StartingMember', member: returningMember(observed, name) };
  if (isLost(pod, now) || (!isDeleting(pod) && report?.isHealthy !== true && isFailing(pod, now)))
    return { type: 'Remove', reason: 'ReplacingMember', member, instance: name };
  if (isDeleting(pod)) return wait('WaitingForDeletion', `${name} is being deleted`);
  if (report?.isHealthy !== true) return wait('WaitingForMember', `${name} is not healthy`);
  return undefined;
}
