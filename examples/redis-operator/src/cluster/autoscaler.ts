import { milliValue } from 'opsdk';
import type { RedisAutoscaling, ScalingRules } from '../api/redis/v1alpha1/redis-autoscaling.ts';
import { averageOf, memoryUtilization, type ShardLoad } from './shard-load.ts';
import { fewestMasters } from './size.ts';

/** Direction in which all looks at the load have agreed. Times are in milliseconds since 1970. */
export interface Trend {
  readonly direction: 'Up' | 'Down';
  /** Time of the first look, and of the last one. */
  readonly since: number;
  readonly until: number;
}

/** Milliseconds between two looks after which nothing is known of the time between them: a look is due every 15 seconds. */
const longestGap = 60_000;

/** All that a decision depends on. */
export interface Situation {
  readonly autoscaling: RedisAutoscaling;
  /** Number of masters that the cluster should have, within the bounds. */
  readonly desired: number;
  /** Loads of the shards, in their order. The last one is the one that would be removed. */
  readonly loads: readonly ShardLoad[];
  /** Reason for which the number must not change now. */
  readonly blocked:
    { readonly reason: 'ClusterNotReady' | 'BackupRunning'; readonly message: string } | undefined;
  /** Time of the end of the last change, in milliseconds since 1970. */
  readonly lastScaleTime: number | undefined;
  readonly trend: Trend | undefined;
  readonly now: number;
}

/** Condition with the words of a HorizontalPodAutoscaler. */
export interface Verdict<Reason extends string> {
  readonly status: 'True' | 'False';
  readonly reason: Reason;
  readonly message: string;
}

export type AbleToScale = Verdict<
  | 'SucceededRescale'
  | 'ReadyForNewScale'
  | 'ScaleUpStabilized'
  | 'ScaleDownStabilized'
  | 'BackoffUpscale'
  | 'BackoffDownscale'
  | 'ClusterNotReady'
  | 'BackupRunning'
>;
export type ScalingActive = Verdict<'ValidMetricFound' | 'FailedGetResourceMetric' | 'FailedGetPodsMetric'>;
export type ScalingLimited = Verdict<
  | 'DesiredWithinRange'
  | 'TooManyReplicas'
  | 'TooFewReplicas'
  | 'ScaleUpLimit'
  | 'ScaleDownLimit'
  | 'DataWouldNotFit'
>;

export interface Decision {
  /** Number of masters: the desired one, or one more or fewer. */
  readonly desired: number;
  /** Cause of a change of the number; undefined without one. */
  readonly cause: string | undefined;
  readonly trend: Trend | undefined;
  /** Milliseconds after which the decision may be another one with the same load. */
  readonly lookAgainAfter: number | undefined;
  readonly ableToScale: AbleToScale;
  /** Undefined: as before. */
  readonly scalingActive: ScalingActive | undefined;
  readonly scalingLimited: ScalingLimited | undefined;
}

/** Direction that the load alone asks for. */
interface Wish {
  readonly direction: Trend['direction'] | undefined;
  readonly cause: string;
  readonly active: ScalingActive;
  /** Reason for which one master fewer is not enough, though the average would allow it. */
  readonly misfit: string | undefined;
}

interface Rules {
  /** Milliseconds. */
  readonly window: number;
  readonly period: number;
  readonly tolerance: number;
  readonly isDisabled: boolean;
}

const defaultTolerance = '100m';

/** Part of its memory in percent that a master may use where no target says so. */
const mostMemory = 90;

function rulesOf(rules: ScalingRules | undefined, defaultSeconds: number): Rules {
  const { stabilizationWindowSeconds, periodSeconds, tolerance, selectPolicy } = rules ?? {};
  return {
    window: (stabilizationWindowSeconds ?? defaultSeconds) * 1000,
    period: (periodSeconds ?? defaultSeconds) * 1000,
    tolerance: Number(milliValue(tolerance ?? defaultTolerance)) / 1000,
    isDisabled: selectPolicy === 'Disabled',
  };
}

const upRules = ({ behavior }: RedisAutoscaling): Rules => rulesOf(behavior?.scaleUp, 60);
const downRules = ({ behavior }: RedisAutoscaling): Rules => rulesOf(behavior?.scaleDown, 300);

/**
 * Decides how many masters a cluster should have. One is added once each look at the load within the window has asked for it, and the last
 * change has been over for a period; one is removed likewise, if all figures are known and its data has room on each of the others.
 *
 * Between both lies more than the load of a master: after a master was added the load never asks to remove it, and the other way round, as
 * long as it stays the same.
 */
export function decide(situation: Situation): Decision {
  const { autoscaling, desired, blocked, now } = situation;
  // The load of a cluster that changes gives no reason to change it once more: the looks begin again after it.
  if (blocked !== undefined)
    return {
      ...{ desired, cause: undefined, trend: undefined, lookAgainAfter: undefined },
      ableToScale: { status: 'False', ...blocked },
      ...{ scalingActive: undefined, scalingLimited: undefined },
    };
  const wish = wishOf(situation);
  const scalingLimited = limitOf(wish, situation);
  const keep = { desired, cause: undefined, scalingActive: wish.active, scalingLimited };
  const { direction } = wish;
  if (direction === undefined || scalingLimited.status === 'True')
    return {
      ...keep,
      ...{ trend: undefined, lookAgainAfter: undefined },
      ableToScale: {
        status: 'True',
        reason: 'ReadyForNewScale',
        message: 'The number of masters can change',
      },
    };
  const { window, period } = direction === 'Up' ? upRules(autoscaling) : downRules(autoscaling);
  const trend = continued(situation.trend, direction, now);
  const stableIn = trend.since + window - now;
  const mayChangeIn = (situation.lastScaleTime ?? -Infinity) + period - now;
  if (stableIn <= 0 && mayChangeIn <= 0) {
    const next = desired + (direction === 'Up' ? 1 : -1);
    return {
      ...keep,
      ...{ desired: next, cause: wish.cause, trend: undefined, lookAgainAfter: undefined },
      ableToScale: {
        ...{ status: 'True', reason: 'SucceededRescale' },
        message: `The number of masters was set to ${next}`,
      },
    };
  }
  return {
    ...{ ...keep, trend, lookAgainAfter: Math.max(stableIn, mayChangeIn) },
    ableToScale: mayChangeIn > 0 ? backoff(direction) : stabilized(direction),
  };
}

/** Returns the trend with one more look. It begins again if the direction is another one, or nobody has looked for long. */
function continued(trend: Trend | undefined, direction: Trend['direction'], now: number): Trend {
  const goesOn = trend?.direction === direction && trend.until <= now && now - trend.until <= longestGap;
  return { direction, since: goesOn ? trend.since : now, until: now };
}

function backoff(direction: Trend['direction']): AbleToScale {
  const message = 'The time since the last change of the number of masters is less than periodSeconds';
  return { status: 'False', reason: direction === 'Up' ? 'BackoffUpscale' : 'BackoffDownscale', message };
}

function stabilized(direction: Trend['direction']): AbleToScale {
  return direction === 'Up'
    ? {
        ...{ status: 'True', reason: 'ScaleUpStabilized' },
        message: 'The load has asked for another master for less than stabilizationWindowSeconds',
      }
    : {
        ...{ status: 'True', reason: 'ScaleDownStabilized' },
        message: 'The load has allowed one master fewer for less than stabilizationWindowSeconds',
      };
}

function limitOf({ direction, misfit }: Wish, { autoscaling, desired }: Situation): ScalingLimited {
  const { minMasters = fewestMasters, maxMasters } = autoscaling;
  const limited = (reason: ScalingLimited['reason'], message: string): ScalingLimited => ({
    ...{ status: 'True', reason, message },
  });
  if (direction === 'Up' && desired >= maxMasters)
    return limited('TooManyReplicas', 'The load asks for more masters than maxMasters');
  if (direction === 'Down' && desired <= minMasters)
    return limited('TooFewReplicas', 'The load asks for fewer masters than minMasters');
  if (direction === 'Up' && upRules(autoscaling).isDisabled)
    return limited('ScaleUpLimit', 'The load asks for another master, and scaleUp.selectPolicy is Disabled');
  if (direction === 'Down' && downRules(autoscaling).isDisabled)
    return limited(
      'ScaleDownLimit',
      'The load allows one master fewer, and scaleDown.selectPolicy is Disabled',
    );
  if (direction === 'Down' && misfit !== undefined) return limited('DataWouldNotFit', misfit);
  return { status: 'False', reason: 'DesiredWithinRange', message: '' };
}

function wishOf({ autoscaling, desired, loads }: Situation): Wish {
  const figures = figuresOf(autoscaling, loads, desired);
  const unknown = figures.find(({ needed }) => needed === undefined);
  const above = figures.find(({ needed = 0 }) => needed > desired * (1 + upRules(autoscaling).tolerance));
  const fewer = desired - 1;
  const mayShrink = figures.every(
    ({ needed = Infinity }) => needed <= fewer * (1 - downRules(autoscaling).tolerance),
  );
  const active: ScalingActive = unknown?.failure ?? {
    ...{ status: 'True', reason: 'ValidMetricFound', message: '' },
  };
  const common = { active, misfit: undefined };
  // One figure that is too high is enough, whatever the others are.
  if (above !== undefined) return { ...common, direction: 'Up', cause: `${above.name} is above its target` };
  if (!mayShrink) return { ...common, direction: undefined, cause: '' };
  const cause = `${figures.map(({ name }) => name).join(' and ')} would be below target on one master fewer`;
  return { ...common, direction: 'Down', cause, misfit: misfitOf(autoscaling, loads) };
}

/** Figure with a target. */
interface Figure {
  readonly name: string;
  /** Number of masters, not rounded, on which the figure would be at its target. Undefined if it is not known. */
  readonly needed: number | undefined;
  readonly failure: ScalingActive;
}

function figuresOf(
  { targetMemoryUtilizationPercentage, targetOperationsPerSecond }: RedisAutoscaling,
  loads: readonly ShardLoad[],
  masters: number,
): readonly Figure[] {
  const isComplete = loads.length === masters;
  const neededFor = (average: number | undefined, target: number): number | undefined =>
    average === undefined || !isComplete ? undefined : (masters * average) / target;
  const figures: Figure[] = [];
  if (targetMemoryUtilizationPercentage !== undefined)
    figures.push({
      name: 'memory utilization',
      needed: neededFor(averageOf(loads.map(memoryUtilization)), targetMemoryUtilizationPercentage / 100),
      failure: {
        ...{ status: 'False', reason: 'FailedGetResourceMetric' },
        message: loads.some(({ memoryLimit }) => memoryLimit === Infinity)
          ? 'Memory utilization is not known: set maxmemory in spec.config, or the memory limit in spec.resources'
          : 'Memory utilization is not known: not all masters have said how much they use',
      },
    });
  if (targetOperationsPerSecond !== undefined)
    figures.push({
      name: 'operations per second',
      needed: neededFor(
        averageOf(loads.map(({ operationsPerSecond }) => operationsPerSecond)),
        targetOperationsPerSecond,
      ),
      failure: {
        ...{ status: 'False', reason: 'FailedGetPodsMetric' },
        message: 'Operations per second are not known: not all masters have said how many there are',
      },
    });
  return figures;
}

/**
 * Returns the first shard that would not have room for its part of the data of the last one, or of which that is not known. Slots go to the
 * others in equal shares.
 */
function misfitOf(
  { targetMemoryUtilizationPercentage = mostMemory }: RedisAutoscaling,
  loads: readonly ShardLoad[],
): string | undefined {
  const staying = loads.slice(0, -1);
  const removed = loads.at(-1);
  const misfit = staying.find(({ memory, memoryLimit }) => {
    if (memory === undefined || memoryLimit === undefined || removed?.memory === undefined) return true;
    const after = memory + removed.memory / staying.length;
    return after > (memoryLimit * targetMemoryUtilizationPercentage) / 100;
  });
  return misfit && `${misfit.shard} has no room for its part of the data of ${removed?.shard}`;
}
