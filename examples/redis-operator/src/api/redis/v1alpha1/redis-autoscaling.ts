import type { DateTime, Int32, Quantity } from 'opsdk';

/** ScalingRules says how fast the number of masters follows the load in one direction. The names are those of a HorizontalPodAutoscaler. */
export interface ScalingRules {
  /**
   * StabilizationWindowSeconds is for how long all looks at the load have to agree before a master is added or removed. Default: 60 to
   * add one, since slots and keys are moved for it, and 300 to remove one.
   *
   * @minimum 0
   * @maximum 3600
   */
  stabilizationWindowSeconds?: Int32;
  /**
   * PeriodSeconds is the time from the end of one change, with all keys moved, until the next one. A change is always that of one master.
   * Default: 60 to add one, and 300 to remove one.
   *
   * @minimum 1
   * @maximum 3600
   */
  periodSeconds?: Int32;
  /**
   * Tolerance is the part of the target by which the load may differ from it without a change: a master is added above
   * target × (1 + tolerance), and removed if the others would stay below target × (1 - tolerance).
   *
   * @default "100m"
   * @cel quantity(string(self)).asApproximateFloat() >= 0.0 && quantity(string(self)).asApproximateFloat() < 1.0 : "a tolerance is a part of the target: from 0 to less than 1, such as 100m"
   */
  tolerance?: Quantity;
  /**
   * SelectPolicy is `Max`, or `Disabled` for no changes in this direction.
   *
   * @default "Max"
   */
  selectPolicy?: 'Max' | 'Disabled';
}

/** ScalingBehavior says how fast the number of masters follows the load. */
export interface ScalingBehavior {
  /** ScaleUp is about adding masters. */
  scaleUp?: ScalingRules;
  /** ScaleDown is about removing masters. */
  scaleDown?: ScalingRules;
}

/**
 * RedisAutoscaling lets the operator decide the number of masters by their load.
 *
 * @cel self.minMasters <= self.maxMasters : "minMasters is greater than maxMasters"
 * @cel has(self.targetMemoryUtilizationPercentage) || has(self.targetOperationsPerSecond) : "autoscaling needs targetMemoryUtilizationPercentage, targetOperationsPerSecond or both"
 * @cel !has(self.targetMemoryUtilizationPercentage) || !has(self.behavior) || !has(self.behavior.scaleUp) || double(self.targetMemoryUtilizationPercentage) * (1.0 + quantity(string(self.behavior.scaleUp.tolerance)).asApproximateFloat()) < 100.0 : "targetMemoryUtilizationPercentage × (1 + scaleUp.tolerance) is 100 or more: memory does not exceed that"
 */
export interface RedisAutoscaling {
  /**
   * MinMasters is the least number of masters.
   *
   * @minimum 3
   * @maximum 64
   * @default 3
   */
  minMasters?: Int32;
  /**
   * MaxMasters is the greatest number of masters.
   *
   * @minimum 3
   * @maximum 64
   */
  maxMasters: Int32;
  /**
   * TargetMemoryUtilizationPercentage is the part of its memory that a master should use, on average over all masters: of `maxmemory` in
   * `config`, or of the memory limit in `resources`, whichever is less.
   *
   * @minimum 1
   * @maximum 90
   */
  targetMemoryUtilizationPercentage?: Int32;
  /**
   * TargetOperationsPerSecond is the number of commands that a master should process in a second, on average over all masters.
   *
   * @minimum 1
   * @maximum 10000000
   */
  targetOperationsPerSecond?: Int32;
  behavior?: ScalingBehavior;
}

/** RedisAutoscalingStatus is what the operator has decided, and by which load. */
export interface RedisAutoscalingStatus {
  /** DesiredMasters is the number of masters that the operator has decided. */
  desiredMasters: Int32;
  /** CurrentMasters is the last number of masters that was reached, with all slots in equal shares. */
  currentMasters?: Int32;
  /** LastScaleTime is when the last change was decided, and once its keys were moved, the time of that. */
  lastScaleTime?: DateTime;
  /** CurrentMemoryUtilizationPercentage is the part of their memory that the masters use on average. */
  currentMemoryUtilizationPercentage?: Int32;
  /** CurrentOperationsPerSecond is the number of commands that a master processes in a second, on average. */
  currentOperationsPerSecond?: Int32;
}
