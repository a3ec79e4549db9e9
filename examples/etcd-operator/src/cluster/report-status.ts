import { conditionsOf } from 'opsdk';
import type { EtcdClusterStatus } from '../api/etcd/v1beta2/etcd-cluster.ts';
import { compareVersions, upgradeProblem } from '../etcd/version.ts';
import { clientPort, clientServiceName } from './names.ts';
import type { Observation } from './observe.ts';
import { instanceOf, lowestVersion, quorumOf, wantedSize, wantedVersion, type Observed } from './observed.ts';
import type { Step } from './step.ts';

/** Types of the conditions of an EtcdCluster. The first four are those that EtcdClusters have always had. */
export const conditionTypes = [
  'Available',
  'Recovering',
  'Scaling',
  'Upgrading',
  'Degraded',
  'SpaceExhausted',
  'Corrupted',
  'DefragmentationNeeded',
] as const;

type Conditions = ReturnType<typeof conditionsOf<(typeof conditionTypes)[number]>>;

/** A database is worth defragmenting from this size on, in bytes, if more than half of it is free. */
const smallestFragmented = 100 * 1024 * 1024;

/** Returns the status that follows from what was observed, and from the step that was taken. */
export function reportedStatus(
  { observed, alarms }: Observation,
  step: Step,
  refusal: string | undefined,
): EtcdClusterStatus {
  const { cluster, members, hasFormed } = observed;
  const { ready, unready } = membersOf(observed);
  const current = hasFormed ? lowestVersion(observed) : '';
  const conditions = conditionsOf(cluster, [...conditionTypes]).false('Degraded', 'AsExpected');
  setAvailability(conditions, observed, step, ready.length);
  setProgress(conditions, observed, step, current, refusal);
  setAlarms(conditions, observed, alarms);
  return {
    phase: phaseOf(observed, step),
    reason: step.reason,
    controlPaused: false,
    conditions: conditions.toJSON(),
    // Nobody who could be asked: the members are those that were there before.
    size: members?.length ?? (hasFormed ? (cluster.status?.size ?? 0) : 0),
    serviceName: clientServiceName(cluster),
    clientPort,
    members: { ready, unready },
    currentVersion: current,
    targetVersion: isUpgrading(observed, current) ? wantedVersion(cluster) : '',
  };
}

type Phase = NonNullable<EtcdClusterStatus['phase']>;

const isLoss = ({ reason }: Step): boolean =>
  ['QuorumLost', 'StartingRecovery', 'WaitingForRecovery', 'RecoveryFailed'].includes(reason);

function phaseOf({ cluster, restore, hasFormed }: Observed, step: Step): Phase {
  if (restore !== undefined) return 'Restoring';
  if (isLoss(step)) return 'Failed';
  const before = cluster.status?.phase ?? 'Creating';
  // All members are healthy.
  if (step.reason === 'Ready' || step.reason === 'UpgradeRefused') return 'Running';
  return hasFormed && before === 'Failed' ? 'Running' : before;
}

function membersOf(observed: Observed): { readonly ready: string[]; readonly unready: string[] } {
  const { instances, members = [] } = observed;
  const voters = new Set(
    members.filter(({ isLearner }) => isLearner !== true).map((member) => instanceOf(observed, member)?.name),
  );
  const isReady = ({ name, report }: Observed['instances'][number]): boolean =>
    report?.isHealthy === true && voters.has(name);
  return {
    ready: instances.filter(isReady).map(({ name }) => name),
    unready: instances.filter((each) => !isReady(each)).map(({ name }) => name),
  };
}

function setAvailability(
  conditions: Conditions,
  { members, hasFormed }: Observed,
  step: Step,
  ready: number,
): void {
  const voters = members?.filter(({ isLearner }) => isLearner !== true).length ?? 0;
  if (members !== undefined && ready >= quorumOf(voters))
    conditions.true('Available', 'QuorumReached', `${ready} of ${voters} voting members are healthy`);
  else if (hasFormed)
    conditions.false(
      'Available',
      'NoQuorum',
      ('message' in step && step.message) || `${ready} of ${voters} voting members are healthy`,
    );
  else conditions.false('Available', 'NotFormed', 'The first member has not started');
}

const recoveries: readonly string[] = [
  'RemovingDeadPod',
  'RemovingLostMember',
  'ReplacingMember',
  'RestoringSeed',
  'DiscardingMembers',
  'WaitingForQuorum',
];

function setProgress(
  conditions: Conditions,
  observed: Observed,
  step: Step,
  current: string,
  refusal: string | undefined,
): void {
  const { cluster, members = [], restore, hasFormed } = observed;
  const size = wantedSize(cluster);
  if (isLoss(step)) conditions.true('Recovering', 'QuorumLost', ('message' in step && step.message) || '');
  else if (restore !== undefined)
    conditions.true('Recovering', 'Restoring', `From EtcdRestore ${restore.restore.name}`);
  else if (recoveries.includes(step.reason)) conditions.true('Recovering', 'MemberLost');
  else conditions.false('Recovering', 'AsExpected');

  const progress = refusal ?? `${members.length} of ${size} members`;
  if (!hasFormed || members.length === size) conditions.false('Scaling', 'SizeReached');
  else if (members.length < size) conditions.true('Scaling', 'ScalingUp', progress);
  else conditions.true('Scaling', 'ScalingDown', progress);

  const problem = current === '' ? undefined : upgradeProblem(current, wantedVersion(cluster));
  if (step.reason === 'UpgradeRefused' && 'message' in step)
    conditions.false('Upgrading', 'UpgradeRefused', step.message ?? '');
  else if (problem !== undefined) conditions.false('Upgrading', 'UpgradeRefused', problem);
  else if (isUpgrading(observed, current)) {
    const change = `From ${current} to ${wantedVersion(cluster)}`;
    const isLate = step.reason === 'WaitingForRestart' && 'message' in step;
    conditions.true('Upgrading', 'UpgradingMembers', isLate ? `${change}: ${step.message}` : change);
  } else conditions.false('Upgrading', 'VersionReached');
}

function isUpgrading({ cluster }: Observed, current: string): boolean {
  const wanted = wantedVersion(cluster);
  return (
    current !== '' && compareVersions(current, wanted) < 0 && upgradeProblem(current, wanted) === undefined
  );
}

function setAlarms(
  conditions: Conditions,
  { instances, members }: Observed,
  alarms: Observation['alarms'],
): void {
  if (members === undefined) {
    for (const type of ['SpaceExhausted', 'Corrupted', 'DefragmentationNeeded'] as const)
      conditions.unknown(type, 'NoAnswer');
    return;
  }
  const nameOf = (id: string): string => members.find(({ ID }) => ID === id)?.name ?? id;
  const raised = (alarm: string): string =>
    alarms
      .filter((each) => each.alarm === alarm)
      .map(({ memberID }) => nameOf(memberID))
      .sort()
      .join(', ');
  const [full, corrupt] = [raised('NOSPACE'), raised('CORRUPT')];
  if (full === '') conditions.false('SpaceExhausted', 'NoAlarm');
  else
    conditions.true(
      'SpaceExhausted',
      'AlarmRaised',
      `NOSPACE of ${full}: only reads and deletions are served. Compact, defragment, then disarm the alarm`,
    );
  if (corrupt === '') conditions.false('Corrupted', 'NoAlarm');
  else conditions.true('Corrupted', 'AlarmRaised', `CORRUPT of ${corrupt}: the data of the members differs`);
  const fragmented = instances
    .filter(({ report }) => report !== undefined && report.dbSize >= smallestFragmented)
    .filter(({ report }) => report !== undefined && report.dbSizeInUse * 2 < report.dbSize)
    .map(({ name }) => name);
  if (fragmented.length === 0) conditions.false('DefragmentationNeeded', 'SpaceInUse');
  else
    conditions.true(
      'DefragmentationNeeded',
      'SpaceFree',
      `More than half is free in ${fragmented.join(', ')}`,
    );
}
