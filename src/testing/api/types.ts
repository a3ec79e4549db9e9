import type { KubeObject, RawExtension, Resource } from '../../sdk/api/index.ts';
import type { ObjectKey } from '../../sdk/kube/index.ts';
import type {
  CachedKind,
  Controller,
  ControllerClient,
  DurationLike,
  Logger,
  ReconcileResult,
} from '../../sdk/runtime/index.ts';

/** Options of `createTestApi`. */
export interface TestApiOptions {
  /** The kinds that the test reads with `client`. A kind of a custom resource also needs its CRD in `crds`. */
  readonly kinds: readonly Resource[];
  /**
   * Objects that exist at the start. They are created in this order, as a client would create them, but including their status. Namespaces
   * other than `default` must come before their objects. Each object is a value of a kind's type, or an object literal, whose fields are
   * checked as the API server checks them. Default: nothing.
   */
  readonly objects?: readonly (KubeObject | (KubeObject & RawExtension))[];
  /**
   * CRDs as files, as folders of files (not recursive), or as objects. Paths are relative to the working directory. Default:
   * `config/crd/bases`, if it exists.
   */
  readonly crds?: readonly (string | object)[];
  /** The operator's name, which is the first part of the field manager. Default: `test-operator`. */
  readonly name?: string;
  /** Kinds of which the controllers' cache holds only a part, as for `createManager`. Default: none. */
  readonly cache?: readonly CachedKind[];
  /**
   * Treatment of the CEL rules of CRDs. `evaluate` (the default): rules are evaluated as the API server does it, but without a limit for
   * their cost; a write that depends on a rule that cannot be evaluated throws `testapi/unsupported`. `assume-valid`: every rule counts as
   * met.
   */
  readonly cel?: 'evaluate' | 'assume-valid';
  /**
   * True to refuse objects of built-in kinds that the test API serves with their schema alone, without defaults and validation. Default:
   * a warning, once for each kind.
   */
  readonly strictDefaults?: boolean;
  /** Logger of the controllers. Default: no output. */
  readonly log?: Logger;
}

/** The verb of a request: a verb of RBAC, or `apply`. */
export type TestVerb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** A request that a controller has sent to the test API. */
export interface TestRequest {
  /** The verb of the request. */
  readonly verb: TestVerb;
  /** The requested kind. */
  readonly resource: Pick<Resource, 'group' | 'version' | 'kind' | 'plural' | 'apiVersion'>;
  /** Requested subresource, such as `status`; undefined for the object itself. */
  readonly subresource: string | undefined;
  /** Name and namespace of the requested object. The name is undefined for lists and for generated names. */
  readonly key: { readonly name: string | undefined; readonly namespace: string | undefined };
  /** Request body, parsed as JSON; undefined for a request without a body. */
  readonly body: unknown;
  /** True if the request is a dry run. */
  readonly dryRun: boolean;
}

/** A Kubernetes Event that a controller has recorded. */
export interface TestEvent {
  /** Type of the event; `Warning` marks events that need attention. */
  readonly type: 'Normal' | 'Warning';
  /** Machine-readable reason of the event. */
  readonly reason: string;
  /** Description of the event for people. */
  readonly note: string;
  /** Number of occurrences that have been written to the API so far. */
  readonly count: number;
  /** The object to which the event refers. */
  readonly regarding: ObjectKey & { readonly kind: string };
}

/** Selects the requests that an interception answers in place of the server. */
export interface InterceptMatch {
  /** Only requests with this verb. */
  readonly verb: TestVerb;
  /** Only requests for this kind. Default: any. */
  readonly resource?: Resource;
  /**
   * Only requests for this subresource, such as `status`; `''` selects requests for the object itself. Default: requests for the object
   * itself and for any subresource.
   */
  readonly subresource?: string;
  /** Maximum number of requests to answer. Default: 1. */
  readonly times?: number;
}

/** A refused request. The response is the one that the API server would send for this status. */
export interface Refusal {
  /** The HTTP status, such as 409. */
  readonly code: number;
  /** Machine-readable reason, such as `Conflict`. Default: the usual reason for the HTTP status. */
  readonly reason?: string;
  /** Message of the refusal. Default: the value of `reason`. */
  readonly message?: string;
  /** Seconds after which the client may try again. Default: none. */
  readonly retryAfterSeconds?: number;
}

/**
 * Answer to an intercepted request: an error to throw, a refusal, or a function. The function returns the response body, or undefined to
 * pass the request on to the server.
 */
export type InterceptAnswer = Error | Refusal | ((request: TestRequest) => unknown);

/** An in-memory API server with controllers. Made by `createTestApi`. */
export interface TestApi extends AsyncDisposable {
  /**
   * A client for the test, like the one that a reconcile gets. Kinds of the option `kinds` are read from a cache; reads through `live`
   * bypass the cache. Writes use the field manager `test`.
   */
  readonly client: ControllerClient;
  /**
   * Adds a controller. The next call of `settle` or `advance` starts it. @throws OpSdkError `testapi/started`,
   * `runtime/duplicate-controller`, `testapi/unknown-kind`
   */
  add(controller: Controller): void;
  /**
   * Runs a controller once for an object, exactly as a worker does: with the finalizer, the timeout and the check of the result. Other
   * controllers do not run.
   * @param key a name in the namespace `default`, `namespace/name`, or a key object
   * @returns the controller's result; undefined also if the object does not exist
   * @throws the error with which this run fails
   */
  reconcile(controller: Controller, key: ObjectKey | string): Promise<ReconcileResult | undefined>;
  /**
   * Runs the added controllers and the garbage collector until nothing is left to do, that is, until no object waits for a reconcile and no
   * timer is due `within` the given time. Virtual time advances only as far as the due timers require.
   * @throws OpSdkError `testapi/reconcile-failed` if the last run of an object failed, `testapi/not-settled`, `testapi/unsupported`
   */
  settle(options?: { readonly within?: DurationLike }): Promise<void>;
  /**
   * Advances the virtual time by this duration, and runs everything that becomes due: `requeueAfter`, back-off, `every`, and updates of the
   * counts of Events.
   * @throws as `settle`
   */
  advance(time: DurationLike): Promise<void>;
  /**
   * Answers the next matching requests of controllers in place of the server.
   * @returns an object whose `used` is the number of requests answered so far
   */
  intercept(match: InterceptMatch, answer: InterceptAnswer): { readonly used: number };
  /** All requests of controllers so far, except the requests of their caches and of `client`. */
  readonly requests: readonly TestRequest[];
  /** The Events that controllers have written so far, the oldest first. */
  readonly events: readonly TestEvent[];
  /** The current virtual time. */
  readonly now: Date;
}
