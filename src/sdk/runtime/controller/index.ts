/** Controllers: their declaration, the changes that trigger them, and the workers that run them. */
export {
  RunObserver,
  type ReconcileObservation,
  type ReconcileObserver,
  type ReconcileTrigger,
} from './observation.ts';
export {
  defineController,
  type Controller,
  type ControllerOptions,
  type ErrorContext,
  type ForgetContext,
  type ReconcileContext,
  type Reconciled,
} from './define-controller.ts';
export type { RetryBackoff } from './controller-settings.ts';
export {
  allOf,
  annotationsChanged,
  anyOf,
  defaultPredicate,
  generationChanged,
  labelsChanged,
  matchesLabels,
  not,
  resourceVersionChanged,
  type Predicate,
  owned,
  type OwnedKind,
  type OwnedOptions,
} from './predicates.ts';
export {
  every,
  type CronSchedule,
  readSchedule,
  from,
  type KeySource,
  type SourceContext,
  watch,
  type ClusterHandle,
  type MapContext,
  type ObjectKeys,
  type ObjectWatch,
  type WatchOptions,
} from './watch.ts';
export type { ScheduleTimes } from './cron-times.ts';
export { requeueAfter, type ReconcileResult, terminalError, waitingFor } from './result.ts';
