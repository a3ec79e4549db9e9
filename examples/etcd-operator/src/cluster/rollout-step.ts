import type { Member } from '../etcd/etcd-api.ts';
import { compareVersions, upgradeProblem } from '../etcd/version.ts';
import { annotations } from './names.ts';
import {
  instanceOf,
  lowestVersion,
  versionOf,
  wantedSize,
  wantedVersion,
  type Instance,
  type Observed,
} from './observed.ts';
import { wait, type Step } from './step.ts';

/** A voter with its Pod, which is healthy. */
interface Voter {
  readonly member: Member;
  readonly instance: Instance;
  readonly isLeader: boolean;
}

/** Returns the step that brings a cluster, all of whose members are healthy, towards its spec. */
export function nextRolloutStep(observed: Observed): Step {
  const { cluster, members = [] } = observed;
  const voters = votersOf(observed);
  const restarting = voters.find(
    ({ instance: { pod, report } }) => pod !== undefined && versionOf(pod) !== report?.version,
  );
  // The image of its Pod has changed, and the process is still the former one; or the image has another etcd than its tag says.
  if (restarting?.instance.pod !== undefined) {
    const { name, pod, report } = restarting.instance;
    return wait('WaitingForRestart', `${name} runs ${report?.version}, and its image is ${versionOf(pod)}`);
  }

  const problem = versionProblem(observed);
  const behind = followersFirst(
    voters.filter(({ instance: { pod } }) => pod !== undefined && versionOf(pod) !== wantedVersion(cluster)),
  );
  if (problem === undefined && behind[0] !== undefined)
    return { type: 'Upgrade', reason: 'UpgradingMember', member: behind[0].instance.name };

  const outdated = followersFirst(voters.filter(({ instance }) => isOutdated(instance, observed)));
  if (cluster.spec.storage !== undefined && outdated[0] !== undefined)
    return { type: 'Restart', reason: 'RestartingMember', member: outdated[0].instance.name };

  // A member without storage loses its data with its Pod: another one takes its place before it goes.
  const size = wantedSize(cluster);
  if (members.length < size || (members.length === size && outdated.length > 0))
    return { type: 'Add', reason: 'AddingMember', version: lowestVersion(observed) };
  if (members.length > size) {
    const [surplus] = outdated.length > 0 ? outdated : followersFirst(voters);
    if (surplus !== undefined)
      return {
        type: 'Remove',
        reason: 'RemovingMember',
        member: surplus.member,
        instance: surplus.instance.name,
      };
  }
  return problem === undefined ? wait('Ready') : wait('UpgradeRefused', problem);
}

function votersOf(observed: Observed): readonly Voter[] {
  const { members = [], instances } = observed;
  const leader = instances.find(({ report }) => report !== undefined)?.report?.leader;
  return members.flatMap((member) => {
    const instance = instanceOf(observed, member);
    return instance === undefined ? [] : [{ member, instance, isLeader: member.ID === leader }];
  });
}

/** The leader comes last: each change of the leader is a moment without writes. The youngest is the first of the others. */
function followersFirst(voters: readonly Voter[]): readonly Voter[] {
  const ageOf = ({ instance }: Voter): string => instance.pod?.metadata.creationTimestamp ?? '';
  return [...voters].sort(
    (a, b) =>
      Number(a.isLeader) - Number(b.isLeader) ||
      ageOf(b).localeCompare(ageOf(a)) ||
      a.instance.name.localeCompare(b.instance.name),
  );
}

/** Returns the reason why the members cannot have the version of the spec. */
function versionProblem(observed: Observed): string | undefined {
  const wanted = wantedVersion(observed.cluster);
  const versions = observed.instances.flatMap(({ report }) => (report === undefined ? [] : [report.version]));
  return versions
    .sort(compareVersions)
    .map((version) => upgradeProblem(version, wanted))
    .find((problem) => problem !== undefined);
}

function isOutdated({ pod }: Instance, { hash }: Observed): boolean {
  return pod?.metadata.annotations?.[annotations.hash] !== hash;
}
