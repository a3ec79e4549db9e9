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
  /** The kinds that `client` reads: those of the test. Custom resources need their CRD. */
  readonly kinds: readonly Resource[];
  /**
   * Objects that exist from the start: created in this order, as a client would create it, with its status. Namespaces other than `default` come first.
   * Values of a kind's type, or objects written in place, whose fields are checked as the API server checks them. Default: nothing.
   */
  readonly objects?: readonly (KubeObject | (KubeObject & RawExtension))[];
  /** CRDs: files, folders of them (not recursive), relative to the working directory, or definitions as objects. Default: `config/crd/bases`, if it exists. */
  readonly crds?: readonly (string | object)[];
  /** The operator's name: the first part of the field manager. Default: `test-operator`. */
  readonly name?: string;
  /** Kinds that the cache of the controllers does not hold whole, as for `createManager`. Default: none, all are held whole. */
  readonly cache?: readonly CachedKind[];
  /**
   * CEL rules of CRDs cannot be evaluated here. `refuse` (the default): a write that depends on one throws `testapi/unsupported`.
   * `assume-valid`: rules are taken as met.
   */
  readonly cel?: 'refuse' | 'assume-valid';
  /** Where the controllers log to. Default: nowhere. */
  readonly log?: Logger;
}

/** The verb of a request: those of RBAC, and `apply`. */
export type TestVerb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** A request of a controller. */
export interface TestRequest {
  /** The verb of the request. */
  readonly verb: TestVerb;
  /** The kind that it is about. */
  readonly resource: Pick<Resource, 'group' | 'version' | 'kind' | 'plural' | 'apiVersion'>;
  /** Such as `status`. */
  readonly subresource: string | undefined;
  /** The object; without a name for lists, and for objects whose name the server makes. */
  readonly key: { readonly name: string | undefined; readonly namespace: string | undefined };
  /** As JSON; undefined if there is none. */
  readonly body: unknown;
  /** True for a dry run. */
  readonly dryRun: boolean;
}

/** A Kubernetes Event that a controller has recorded. */
export interface TestEvent {
  /** `Warning` is what people should look at. */
  readonly type: 'Normal' | 'Warning';
  /** For machines. */
  readonly reason: string;
  /** For people. */
  readonly note: string;
  /** Number of times that the event was recorded, as far as that is written. */
  readonly count: number;
  /** The object that the event is about. */
  readonly regarding: ObjectKey & { readonly kind: string };
}

/** Which requests an interception answers. */
export interface InterceptMatch {
  /** Only requests with this verb. */
  readonly verb: TestVerb;
  /** Only requests for this kind. Default: any. */
  readonly resource?: Resource;
  /** Only requests for this subresource, such as `status`; `''`: for whole objects. Default: either. */
  readonly subresource?: string;
  /** Number of requests to answer. Default: 1. */
  readonly times?: number;
}

/** A refusal, answered as the API server answers it. */
export interface Refusal {
  /** The HTTP status, such as 409. */
  readonly code: number;
  /** Such as `Conflict`. Default: that of the code. */
  readonly reason?: string;
  /** Default: the reason. */
  readonly message?: string;
  /** Seconds after which the client may try again. Default: none. */
  readonly retryAfterSeconds?: number;
}

/** An error that is thrown, a refusal, or a function that gives the body of the answer; undefined from it lets the request through. */
export type InterceptAnswer = Error | Refusal | ((request: TestRequest) => unknown);

/** An in-memory API server with controllers. Made by `createTestApi`. */
export interface TestApi extends AsyncDisposable {
  /** The client of a reconcile, for the test: cached reads of `kinds`, `live` reads, writes under the field manager `test`. */
  readonly client: ControllerClient;
  /** Adds a controller; the first `settle` or `advance` starts it. @throws OpSdkError `testapi/started`, `runtime/duplicate-controller`, `testapi/unknown-kind` */
  add(controller: Controller): void;
  /**
   * Runs a controller once for an object, as its worker does: with finalizer, timeout and checked result. Other controllers do not run.
   *
   * @param key a name in the namespace `default`, `namespace/name`, or a key
   * @returns what the controller returned; undefined also if the object does not exist
   * @throws what the run throws
   */
  reconcile(controller: Controller, key: ObjectKey | string): Promise<ReconcileResult | undefined>;
  /**
   * Runs the added controllers and the garbage collector until nothing is left to do: no key waits, and no timer is due `within` this time. Time passes
   * only as far as such timers need it.
   *
   * @throws OpSdkError `testapi/reconcile-failed` if the last run of an object failed, `testapi/not-settled`, `testapi/unsupported`
   */
  settle(options?: { readonly within?: DurationLike }): Promise<void>;
  /** Lets this time pass, and does all that is due on the way: `requeueAfter`, back-off, `every`, counts of Events. @throws as `settle` */
  advance(time: DurationLike): Promise<void>;
  /** Answers the next matching requests of controllers. @returns how often it was used */
  intercept(match: InterceptMatch, answer: InterceptAnswer): { readonly used: number };
  /** The requests of controllers so far; those of their caches and of `client` are not among them. */
  readonly requests: readonly TestRequest[];
  /** The Events that controllers have written so far, the oldest first. */
  readonly events: readonly TestEvent[];
  /** The time of day here. */
  readonly now: Date;
}
