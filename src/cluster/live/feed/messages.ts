/** A Kubernetes kind. For its fields, see `Resource`. */
export interface FeedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** A controller of the operator. */
export interface FeedController {
  readonly name: string;
  readonly for: FeedKind;
  readonly owns: readonly FeedKind[];
}

/** A reconcile that has ended. Times are in milliseconds since 1970, durations in milliseconds. */
export interface FeedRun {
  readonly controller: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly reconcileID: string;
  /** Event that caused the reconcile, described as in human-readable logs, such as `update of Deployment shop/web`. */
  readonly trigger: string;
  readonly attempt: number;
  readonly start: number;
  readonly duration: number;
  readonly requests: number;
  /** Result of the reconcile: one of the values that the label `result` of the metric `controller_runtime_reconcile_total` can have. */
  readonly result: string;
  readonly error?: FeedError;
  readonly nextTry?: number;
}

export interface FeedError {
  readonly message: string;
  readonly code?: string;
  readonly fix: readonly string[];
}

/** A request that the API server refused with 403. */
export interface FeedRefusal extends FeedError {
  /** Time of the refusal, in milliseconds since 1970. */
  readonly time: number;
}

/** A message of an operator to `op-sdk dev`, sent as one line of JSON. Fields that have not changed since the last message are left out. */
export interface FeedMessage {
  readonly controllers?: readonly FeedController[];
  readonly runs?: readonly FeedRun[];
  /** Number of runs that are missing from `runs`, because reconciles ended faster than they could be sent. */
  readonly dropped?: number;
  readonly refusals?: readonly FeedRefusal[];
  /** Number of objects in the queue of each controller that are ready to be reconciled, by name of the controller. */
  readonly depths?: Readonly<Record<string, number>>;
}

/** A message of `op-sdk dev` to an operator, sent as one line of JSON. */
export interface FeedRequest {
  /** True if a page is open. The operator sends messages only while this is true. */
  readonly looking: boolean;
}
