/** A kind, see `Resource`. */
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

/** A reconcile that has ended; times in milliseconds since 1970, durations in milliseconds. */
export interface FeedRun {
  readonly controller: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly reconcileID: string;
  /** Description as in logs for people, such as `update of Deployment shop/web`. */
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

/** A message of an operator to `op-sdk dev`. Each message is one line of JSON. Parts that have not changed are left out. */
export interface FeedMessage {
  readonly controllers?: readonly FeedController[];
  readonly runs?: readonly FeedRun[];
  /** Number of runs that are missing from `runs`, because they followed each other too fast to be sent. */
  readonly dropped?: number;
  readonly refusals?: readonly FeedRefusal[];
  /** Number of objects that each controller could reconcile now, by its name. */
  readonly depths?: Readonly<Record<string, number>>;
}

/** A message of `op-sdk dev` to an operator, one JSON text a line. */
export interface FeedRequest {
  /** True if a page is open: without one the operator sends nothing. */
  readonly looking: boolean;
}
