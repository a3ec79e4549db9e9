import type { KubeObject, RbacRule, Resource, Stored } from '../../api/index.ts';
import type { ObjectKey } from '../../kube/index.ts';
import type { Index } from '../cache/cached-reader.ts';
import type { ObjectEvent } from '../cache/store.ts';
import type { ControllerClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import type { DurationLike } from '../duration.ts';
import type { EventRecorder } from '../events/index.ts';
import { checkSettings, type RetryBackoff } from './controller-settings.ts';
import { defaultPredicate, type Predicate, owned, type OwnedKind } from './predicates.ts';
import type { ReconcileResult } from './result.ts';
import type { ObjectWatch, KeySource } from './watch.ts';

/** Second argument of `reconcile`, after the object. */
export interface ReconcileContext {
  /** Client that reads from the cache and writes under this controller's field manager. `client.live` reads from the API server. */
  readonly client: ControllerClient;
  /**
   * Records Kubernetes Events for the object. Never waits, and never fails the reconcile. Needs `create` and `patch` on `events` of
   * `events.k8s.io`.
   */
  readonly events: EventRecorder;
  /** Logger that adds the controller, the object and the ID of the run to each line. */
  readonly log: Logger;
  /**
   * Signal of this run only. Aborts when the run has taken longer than `reconcileTimeout`, and when the operator has to stop and cannot
   * wait any longer. The client's calls use the signal already; pass it to all other operations that wait.
   */
  readonly signal: AbortSignal;
  /** Name and namespace of the object. */
  readonly key: ObjectKey;
  /** Unique ID of this run, contained in every line of `log`. */
  readonly reconcileID: string;
  /** Number of this try: 1 for the first try, and one more after each failure, until a run succeeds. */
  readonly attempt: number;
  /**
   * Returns the current time in milliseconds since 1970, like `Date.now()`: `now() - Date.parse(status.completionTime!) > durationMs('11m')`,
   * `new Date(now()).toISOString()`. In tests this is the time that `advance` of the test API moves.
   */
  readonly now: () => number;
}

/** Third argument of `onError`. */
export interface ErrorContext extends ReconcileContext {
  /** True: the run is retried after a back-off. False: the error was terminal, or the operator stops. */
  readonly willRetry: boolean;
}

/** Second argument of `forget`. */
export type ForgetContext = Pick<ReconcileContext, 'log' | 'signal' | 'now'>;

/**
 * Options of `defineController`. `op-sdk generate manifests` reads `for`, `owns`, `watches` and `rbac` from the source code, so write them
 * with names of kinds and literals.
 */
export interface ControllerOptions<T extends KubeObject> {
  /**
   * Name in logs, metrics and the field manager. Keep the name stable, because fields of existing objects belong to the field manager.
   * Default: the kind in lower case.
   */
  readonly name?: string;
  /** The kind that is reconciled. */
  readonly for: Resource<T>;
  /**
   * Kinds that reconcile creates with the metadata of `ownedBy(object)`. A change of such an object reconciles its controlling owner. To
   * set options, use `owned(K, { … })`.
   */
  readonly owns?: readonly (Resource | OwnedKind)[];
  /**
   * Further triggers of reconciles: `watch(K, { map })` for other kinds; `every('10m', keys)` and `from(name, iterable, keys)` for sources
   * outside of the cluster.
   */
  readonly watches?: readonly (ObjectWatch | KeySource)[];
  /**
   * Indexes that the cache maintains, for `client.byIndex`. The kind of each index must be declared by `for`, `owns` or `watches` of a
   * controller.
   */
  readonly indexes?: readonly Index[];
  /**
   * Permissions in addition to those that `op-sdk generate manifests` infers from the code. The command reads this field from the source
   * code.
   */
  readonly rbac?: readonly RbacRule[];
  /** Maximum number of objects that are reconciled at the same time. One object is never reconciled twice at the same time. Default: 1. */
  readonly concurrency?: number;
  /**
   * Duration after which `ctx.signal` of a reconcile is aborted. The reconcile is then retried as after an error. More than 0. Default:
   * never.
   */
  readonly reconcileTimeout?: DurationLike | undefined;
  /** Delays between the retries of `reconcile` and of `map`. */
  readonly backoff?: RetryBackoff | undefined;
  /**
   * Predicates for changes of `for` objects. A change causes a reconcile if all predicates accept it. Default: {@link defaultPredicate};
   * `[]`: every change. Objects that `finalize` has to clean up always pass.
   */
  readonly predicates?: readonly Predicate<T>[];
  /**
   * Brings the actual state in line with the object. Called with the cached, frozen object; not called for an object that no longer exists.
   * An object under deletion has `metadata.deletionTimestamp`. Return `requeueAfter('30s')` to run again later. Throw an error for a retry
   * with back-off, or `terminalError(error)` for an error without a retry.
   */
  reconcile(object: Stored<T>, context: ReconcileContext): Reconciled;
  /**
   * Cleans up resources that the garbage collector cannot remove. Called for an object under deletion until it returns nothing; then the
   * object may be removed. If `finalize` is defined, {@link ControllerOptions.finalizer} is added to every object before its first
   * `reconcile`, and `reconcile` is not called for objects under deletion. May run again after a success, so a resource that no longer
   * exists must not be an error. Return `requeueAfter('30s')` to be called again later. Throw an error for a retry with back-off.
   */
  finalize?(object: Stored<T>, context: ReconcileContext): Reconciled;
  /**
   * Drops what this process keeps for an object, such as a metric or a connection: called once after an object that was reconciled here is
   * gone, or has left the cache's selection or the watched namespaces. Needs no finalizer. Not called for what vanishes while the operator
   * is down, or while another replica leads: clean up outside of the process in `finalize`. It runs when no reconcile of the same name runs;
   * a new object of that name is reconciled after it. An error is logged, and the call repeated after a back-off.
   */
  forget?(key: ObjectKey, context: ForgetContext): void | Promise<void>;
  /**
   * Called after a failed `reconcile` or `finalize`, with the object as it is then: the place to report a failure in a condition or an
   * Event. Not called for conflicts, which a retry resolves without notice, for an object that has been deleted meanwhile, or when the
   * operator stops. An error that it throws is logged and changes nothing about the retry. After a timeout its `signal` is a new one, with
   * the same limit. Default: a Warning Event, see {@link ControllerOptions.failureEvents}.
   *
   * @param error the thrown value, as an Error; of a `terminalError`, the error that it wraps
   */
  onError?(object: Stored<T>, error: Error, context: ErrorContext): void | Promise<void>;
  /**
   * False: record no Events about failures. By default, and only without `onError`, an object gets the Warning Event `ReconcileFailed`
   * after the third failure in a row and after a terminal error, at most once in 5 minutes; an object under deletion gets none. Write the
   * value as a literal, because `op-sdk generate manifests` reads it from the source code.
   */
  readonly failureEvents?: boolean;
  /**
   * Finalizer that is used with `finalize`. Keep the finalizer stable, because existing objects contain it. Default:
   * `<group>/<controller>`. Required for kinds whose group is not a domain.
   */
  readonly finalizer?: `${string}.${string}/${string}`;
  /** Finalizers of former versions of this operator, which are removed from every object, in any state. Default: none. */
  readonly retiredFinalizers?: readonly string[];
}

/** Result of `reconcile` and `finalize`: nothing, or the delay until the next call. */
export type Reconciled = ReconcileResult | undefined | void | Promise<ReconcileResult | undefined | void>;

/** A declared controller, for `manager.add`. The fields are described at {@link ControllerOptions}. */
export interface Controller<T extends KubeObject = KubeObject> {
  /** Name in logs, metrics and the field manager. */
  readonly name: string;
  /** The kind that is reconciled. */
  readonly for: Resource<T>;
  /** Kinds of the objects that reconcile creates. */
  readonly owns: readonly OwnedKind[];
  /** Other kinds whose changes cause reconciles. */
  readonly watches: readonly ObjectWatch[];
  /** Further sources of keys to reconcile, such as `every` and `from`. */
  readonly sources: readonly KeySource[];
  /** Indexes that the cache maintains. */
  readonly indexes: readonly Index[];
  /** Permissions in addition to those for the declared kinds. */
  readonly rbac: readonly RbacRule[];
  /** Maximum number of objects that are reconciled at the same time. */
  readonly concurrency: number;
  /** Milliseconds after which a reconcile is aborted; undefined for never. */
  readonly reconcileTimeout: number | undefined;
  /** Delay before the first retry, and maximum delay, in milliseconds. */
  readonly backoff: { readonly base: number; readonly cap: number };
  /** Returns true if a change of a `for` object causes a reconcile. */
  accepts(change: ObjectEvent<T>): boolean;
  /** Finalizer that is added to the objects of the controller; undefined without `finalize`. */
  readonly finalizer: string | undefined;
  /** Finalizers to remove from every object. */
  readonly retiredFinalizers: readonly string[];
  /** Brings the actual state in line with the object. */
  reconcile(object: Stored<T>, context: ReconcileContext): Reconciled;
  /** Cleans up after an object under deletion. Does nothing without `finalize`. */
  finalize(object: Stored<T>, context: ReconcileContext): Reconciled;
  /** Drops what the process keeps for an object. Absent if the controller keeps nothing. */
  forget?(key: ObjectKey, context: ForgetContext): void | Promise<void>;
  /** Reports a failed run. Absent if the controller does not report failures itself. */
  onError?(object: Stored<T>, error: Error, context: ErrorContext): void | Promise<void>;
  /** Record Events about failures, if the manager allows it. */
  readonly failureEvents: boolean;
}

/**
 * Declares a controller; `manager.add` runs it.
 *
 * @throws OpSdkError `runtime/invalid-controller`
 *
 * @example
 * export const nginxController = defineController({
 *   for: Nginx,
 *   owns: [Deployment],
 *   async reconcile(nginx, { client }) {
 *     await client.apply(Deployment, { metadata: { name: nginx.metadata.name, ...ownedBy(nginx) }, spec: deploymentSpec(nginx) });
 *   },
 * });
 */
export function defineController<T extends KubeObject>(options: ControllerOptions<T>): Controller<T> {
  const settings = checkSettings(options);
  const { finalizer } = settings;
  const predicates = options.predicates ?? [defaultPredicate];
  const watches = options.watches ?? [];
  return {
    ...settings,
    for: options.for,
    owns: (options.owns ?? []).map((kind) => ('resource' in kind ? kind : owned(kind))),
    watches: watches.filter((each) => 'resource' in each),
    sources: watches.filter((each) => 'keys' in each),
    indexes: options.indexes ?? [],
    rbac: options.rbac ?? [],
    // An object to finalize passes in any case, so that it does not wait for a change that the predicates accept.
    accepts: (change) =>
      (finalizer !== undefined && isDeleting(change.object, finalizer)) ||
      predicates.every((predicate) => predicate(change)),
    retiredFinalizers: options.retiredFinalizers ?? [],
    reconcile: (object, context) => options.reconcile(object, context),
    finalize: (object, context) => options.finalize?.(object, context),
    ...(options.forget && { forget: (key, context) => options.forget?.(key, context) }),
    ...(options.onError && {
      onError: (object, error, context) => options.onError?.(object, error, context),
    }),
    failureEvents: options.failureEvents ?? options.onError === undefined,
  };
}

/** Returns true if an object is under deletion and still has the finalizer. */
function isDeleting({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;
}
