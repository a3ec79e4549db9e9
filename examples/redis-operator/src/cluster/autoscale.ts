import type { ConditionList } from 'opsdk';
import type { DistributedRedisCluster } from '../api/redis/v1alpha1/distributed-redis-cluster.ts';
import type { RedisAutoscaling, RedisAutoscalingStatus } from '../api/redis/v1alpha1/redis-autoscaling.ts';
import { decide, type Decision, type Situation, type Trend, type Verdict } from './autoscaler.ts';
import type { Step } from './next-step.ts';
import type { Restoration } from './restore.ts';
import { averageOf, memoryUtilization, type ShardLoad } from './shard-load.ts';

/** Conditions with the words of a HorizontalPodAutoscaler. A cluster without `autoscaling` has none of them. */
export const scalingConditions = ['AbleToScale', 'ScalingActive', 'ScalingLimited'] as const;

/** Outcome of a reconcile for the number of masters. */
export interface Scaling {
  readonly status: RedisAutoscalingStatus;
  readonly change: { readonly from: number; readonly to: number; readonly cause: string } | undefined;
  /** Undefined while the cluster is paused. */
  readonly decision: Decision | undefined;
}

interface Sight {
  /** Number of masters that the step was chosen for. */
  readonly wanted: number;
  readonly step: Step;
  readonly loads: readonly ShardLoad[];
  readonly restoration: Restoration | undefined;
  /** True while a Job copies the data of the cluster. */
  readonly isBackedUp: boolean;
  readonly trend: Trend | undefined;
  readonly now: number;
}

/**
 * Decides the number of masters of a cluster. The decision is kept in the status: nothing else knows it, and the spec is its owner's.
 * Undefined without `autoscaling`.
 */
export function autoscale(cluster: DistributedRedisCluster, sight: Sight): Scaling | undefined {
  const { autoscaling, paused } = cluster.spec;
  if (autoscaling === undefined) return undefined;
  const { wanted, step, loads, now } = sight;
  const before = cluster.status?.autoscaling;
  if (paused === true)
    return { status: { desiredMasters: wanted, ...before }, change: undefined, decision: undefined };

  const bounded = boundedChange(autoscaling, before?.desiredMasters, wanted);
  const hasArrived = step.type === 'Done' && before?.currentMasters !== wanted;
  const lastScaleTime = bounded !== undefined || hasArrived ? now : timeOf(before, now);
  const decision = decide({
    ...{ autoscaling, desired: wanted, loads, lastScaleTime, trend: sight.trend, now },
    blocked: blockedBy(cluster, sight),
  });
  const { desired, cause } = decision;
  const change = cause === undefined ? bounded : { from: wanted, to: desired, cause };
  const scaledAt = cause === undefined ? lastScaleTime : now;
  const current = step.type === 'Done' ? wanted : before?.currentMasters;
  return {
    change,
    decision,
    status: {
      desiredMasters: desired,
      ...(current !== undefined && { currentMasters: current }),
      // Times of Kubernetes have no fractions of a second.
      ...(scaledAt !== undefined && { lastScaleTime: timeText(scaledAt) }),
      ...figuresOf(loads.length === wanted ? loads : []),
    },
  };
}

/** Returns the change that minMasters and maxMasters ask for. */
function boundedChange(
  { minMasters, maxMasters }: RedisAutoscaling,
  from: number | undefined,
  to: number,
): Scaling['change'] {
  if (from === undefined || from === to) return undefined;
  return { from, to, cause: to > from ? `minMasters is ${minMasters}` : `maxMasters is ${maxMasters}` };
}

function blockedBy(
  { spec }: DistributedRedisCluster,
  { step, restoration, isBackedUp }: Sight,
): Situation['blocked'] {
  if (step.type !== 'Done')
    return { reason: 'ClusterNotReady', message: `The cluster is not in order: ${step.type}` };
  if (spec.init !== undefined && restoration?.state !== 'Restored')
    return { reason: 'ClusterNotReady', message: 'The backup that the cluster begins with is not restored' };
  if (isBackedUp) return { reason: 'BackupRunning', message: 'A backup of the cluster is taken' };
  return undefined;
}

/** Returns the time of the last change. One in the future, as of a clock that was wrong, is now: it would forbid changes until then. */
function timeOf(before: RedisAutoscalingStatus | undefined, now: number): number | undefined {
  const time = Date.parse(before?.lastScaleTime ?? '');
  return Number.isNaN(time) ? undefined : Math.min(time, now);
}

const timeText = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

function figuresOf(loads: readonly ShardLoad[]): Partial<RedisAutoscalingStatus> {
  const memory = averageOf(loads.map(memoryUtilization));
  const operations = averageOf(loads.map(({ operationsPerSecond }) => operationsPerSecond));
  return {
    ...(memory !== undefined && { currentMemoryUtilizationPercentage: Math.round(memory * 100) }),
    ...(operations !== undefined && { currentOperationsPerSecond: Math.round(operations) }),
  };
}

/** Sets the conditions of autoscaling, or removes them. */
export function reportScaling(
  conditions: ConditionList<(typeof scalingConditions)[number]>,
  scaling: Scaling | undefined,
): void {
  if (scaling === undefined) {
    for (const type of scalingConditions) conditions.remove(type);
    return;
  }
  const { decision } = scaling;
  if (decision === undefined) {
    conditions.false('ScalingActive', 'ScalingDisabled', 'spec.paused is true');
    return;
  }
  const { ableToScale, scalingActive, scalingLimited } = decision;
  setCondition(conditions, 'AbleToScale', ableToScale);
  if (scalingActive !== undefined) setCondition(conditions, 'ScalingActive', scalingActive);
  if (scalingLimited !== undefined) setCondition(conditions, 'ScalingLimited', scalingLimited);
}

function setCondition<Type extends string, Reason extends string>(
  conditions: ConditionList<Type>,
  type: Type,
  { status, reason, message }: Verdict<Reason>,
): void {
  if (status === 'True') conditions.true(type, reason, message);
  else conditions.false(type, reason, message);
}
