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
  /** The kinds that the test reads with `client`. Custom resources need their CRD. */
  readonly kinds: readonly Resource[];
  /**
   * Initial objects, created in this order as a client would create them, including their status. Namespaces other than `default` come
   * first. Either values of a kind's type, or object literals, whose fields are checked as by the API server. Default: nothing.
   */
  readonly objects?: readonly (KubeObject | (KubeObject & RawExtension))[];
  /** CRDs: files, folders of them (not recursive), relative to the working directory, or definitions as objects. Default: `config/crd/bases`, if it exists. */
  readonly crds?: readonly (string | object)[];
  /** The operator's name: the first part of the field manager. Default: `test-operator`. */
  readonly name?: string;
  /** Kinds that the cache of the controllers does not hold completely, as for `createManager`. Default: none. */
  readonly cache?: readonly CachedKind[];
  /**
   * Treatment of CEL rules of CRDs, which cannot be evaluated here. `refuse` (the default): a write that depends on a rule throws
   * `testapi/unsupported`. `assume-valid`: rules count as met.
   */
  readonly cel?: 'refuse' | 'assume-valid';
  /** Logger of the controllers. Default: no output. */
  readonly log?: Logger;
}

/** The verb of a request: the verbs of RBAC, and `apply`. */
export type TestVerb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** A request of a controller. */
export interface TestRequest {
  /** The verb of the request. */
  readonly verb: TestVerb;
  /** The requested kind. */
  readonly resource: Pick<Resource, 'group' | 'version' | 'kind' | 'plural' | 'apiVersion'>;
  /** Subresource, such as `status`. */
  readonly subresource: string | undefined;
  /** The object; the name is undefined for lists and for generated names. */
  readonly key: { readonly name: string | undefined; readonly namespace: string | undefined };
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** True for a dry run. */
  readonly dryRun: boolean;
}

/** A Kubernetes Event that a controller has recorded. */
export interface TestEvent {
  /** `Warning` marks events that need attention. */
  readonly type: 'Normal' | 'Warning';
  /** Machine-readable reason. */
  readonly reason: string;
  /** Text for people. */
  readonly note: string;
  /** Number of occurrences, as far as they have been written. */
  readonly count: number;
  /** The object to which the event refers. */
  readonly regarding: ObjectKey & { readonly kind: string };
}

/** Selects the requests that an interception answers. */
export interface InterceptMatch {
  /** Only requests with this verb. */
  readonly verb: TestVerb;
  /** Only requests for this kind. Default: any. */
  readonly resource?: Resource;
  /** Only requests for this subresource, such as `status`; `''` selects complete objects. Default: both. */
  readonly subresource?: string;
  /** Number of requests to answer. Default: 1. */
  readonly times?: number;
}

/** A refusal, answered as the API server answers it. */
export interface Refusal {
  /** The HTTP status, such as 409. */
  readonly code: number;
  /** Reason, such as `Conflict`. Default: the reason of the code. */
  readonly reason?: string;
  /** Default: the reason. */
  readonly message?: string;
  /** Seconds after which the client may try again. Default: none. */
  readonly retryAfterSeconds?: number;
}

/** An error to throw, a refusal, or a function that returns the response body, or undefined to pass the request on to the server. */
export type InterceptAnswer = Error | Refusal | ((request: TestRequest) => unknown);

/** An in-memory API server with controllers. Made by `createTestApi`. */
export interface TestApi extends AsyncDisposable {
  /** A client for the test, as a reconcile gets it: cached reads of `kinds`, `live` reads, writes under the field manager `test`. */
  readonly client: ControllerClient;
  /** Adds a controller; the first `settle` or `advance` starts it. @throws OpSdkError `testapi/started`, `runtime/duplicate-controller`, `testapi/unknown-kind` */
  add(controller: Controller): void;
  /**
   * Runs a controller once for an object, as its worker does: with finalizer, timeout and checked result. Other controllers do not run.
   *
   * @param key a name in the namespace `default`, `namespace/name`, or a key
   * @returns the controller's result; undefined also if the object does not exist
   * @throws the error of the run
   */
  reconcile(controller: Controller, key: ObjectKey | string): Promise<ReconcileResult | undefined>;
  /**
   * Runs the added controllers and the garbage collector until nothing is left to do: no key waits, and no timer is due `within` this time. Time passes
   * only as far as such timers need it.
   *
   * @throws OpSdkError `testapi/reconcile-failed` if the last run of an object failed, `testapi/not-settled`, `testapi/unsupported`
   */
  settle(options?: { readonly within?: DurationLike }): Promise<void>;
  /**
   * Lets this time pass, and runs everything that becomes due: `requeueAfter`, back-off, `every`, counts of Events.
   * @throws as `settle`
   */
  advance(time: DurationLike): Promise<void>;
  /**
   * Answers the next matching requests of controllers.
   * @returns an object whose `used` counts the answered requests
   */
  intercept(match: InterceptMatch, answer: InterceptAnswer): { readonly used: number };
  /** The requests of controllers so far, without those of their caches and of `client`. */
  readonly requests: readonly TestRequest[];
  /** The Events that controllers have written so far, the oldest first. */
  readonly events: readonly TestEvent[];
  /** The current virtual time. */
  readonly now: Date;
}
