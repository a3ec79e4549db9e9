import type {
  DeepReadonly,
  JsonPath,
  KubeObject,
  Mutable,
  ObjectMeta,
  Resource,
  Stored,
} from '../../api/index.ts';
import type { LabelSelector } from '../../k8s/generated/meta/v1.ts';
import type { ControllerClient } from '../client/index.ts';
import type { Logger } from '../create-logger.ts';
import type { UserInfo } from '../../k8s/generated/authentication/v1.ts';

/** An object before it is stored: `name` may still have to be generated from `generateName`, and a new object has no uid. */
export type Submitted<T extends KubeObject> = Omit<T, 'metadata'> & { metadata: ObjectMeta };

/** Last argument of the functions of a webhook. */
export interface AdmissionContext {
  /** The request to the API server: operation, user, dry run, subresource. */
  readonly request: AdmissionRequest;
  /**
   * Reads the cache of the declared kinds (`client.live` the API server), writes under the manager's name. Every replica answers, not only the
   * leader. A webhook that writes needs `sideEffects: 'NoneOnDryRun'`, and must not write if `request.dryRun`.
   */
  readonly client: ControllerClient;
  /** Adds webhook, object and request to each line. */
  readonly log: Logger;
  /** Aborted when the API server no longer waits, and when the operator stops. The client's calls use it already. */
  readonly signal: AbortSignal;
  /** Shows the user a warning, as printed by `kubectl`. Only the first 120 characters are guaranteed to be shown. */
  readonly warn: (message: string) => void;
}

/** An invalid field. The API server shows it like the errors of its own validation. */
export interface FieldError<T> {
  /** Relative to the object: `.spec.size`, `.spec.ports[0].name`. Checked against the type, with completion. */
  readonly path: JsonPath<T>;
  /** The expectation, such as `must be odd`. */
  readonly message: string;
  /** The invalid value, for the message. Default: none is shown. */
  readonly value?: unknown;
  /** Default: `FieldValueInvalid`. Source: apimachinery `metav1.CauseType`. */
  readonly reason?:
    | 'FieldValueInvalid'
    | 'FieldValueForbidden'
    | 'FieldValueRequired'
    | 'FieldValueDuplicate'
    | 'FieldValueNotSupported'
    | 'FieldValueNotFound'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany';
}

/** Result of a validation: nothing or an empty list allows the request. */
export type Validated<T> =
  readonly FieldError<T>[] | undefined | void | Promise<readonly FieldError<T>[] | undefined | void>;

/**
 * Conditions under which the API server calls a webhook, and its behaviour without an answer. Names and semantics:
 * admissionregistration.k8s.io/v1.
 */
export interface AdmissionSettings {
  /** Treatment of the request if the webhook does not answer. Default: `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** Side effects of an answer. `NoneOnDryRun`: only if `request.dryRun` is false. Default: `None`. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  /** Seconds for which the API server waits: 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number;
  /** `Equivalent`: also called for requests for other versions of the kind, which are converted. Default: `Equivalent`. */
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  /** CEL expressions that must all be true for the webhook to be called. Default: none. */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  /** Only objects in namespaces with these labels. Default: all. */
  readonly namespaceSelector?: LabelSelector;
  /** Only objects with these labels. Default: all; for kinds of Kubernetes, all but the operator's own. */
  readonly objectSelector?: LabelSelector;
}

/** Options of `defineWebhook`. `op-sdk generate manifests` reads all but the functions from the source: write literals. */
export interface WebhookOptions<T extends KubeObject> extends AdmissionSettings {
  /**
   * Fills in omitted fields, on create and update, by changing the object: a private copy, whose difference is sent to the API server. The
   * object is not validated yet: a required field may be missing, and a field may have an invalid type. If `default` throws because of an
   * invalid type, the request is allowed, so that the API server refuses it.
   */
  default?(object: Mutable<Submitted<T>>, context: AdmissionContext): void | Promise<void>;
  /** Reports errors of an object that conforms to the schema. Throw to refuse it with one message. */
  readonly validate?: {
    create?(object: DeepReadonly<T>, context: AdmissionContext): Validated<T>;
    update?(object: DeepReadonly<T>, old: Stored<T>, context: AdmissionContext): Validated<T>;
    delete?(object: Stored<T>, context: AdmissionContext): Validated<T>;
  };
  /** Subresources whose requests are also handled; they must contain the kind itself, as `status` does. Default: none. */
  readonly subresources?: readonly string[];
  /** Settings of `default`, which override the common ones. */
  readonly defaulting?: AdmissionSettings & {
    /** `IfNeeded`: called again if another webhook changed the object afterwards. Default: `Never`. */
    readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
    /** Default: `/mutate-<group>-<version>-<kind>`, with dashes for dots, in lower case. */
    readonly path?: `/${string}`;
  };
  /** Settings of `validate`, which override the common ones. */
  readonly validation?: AdmissionSettings & {
    /** Default: `/validate-<group>-<version>-<kind>`, with dashes for dots, in lower case. */
    readonly path?: `/${string}`;
  };
}

/** A declared webhook, for `manager.add`. The fields are described at {@link WebhookOptions}. */
export interface Webhook<T extends KubeObject = KubeObject> {
  /** Distinguishes it from other arguments of `manager.add`. */
  readonly role: 'webhook';
  /** The kind whose objects it defaults and validates. */
  readonly for: Resource<T>;
  /** The options as passed to `defineWebhook`. */
  readonly options: WebhookOptions<T>;
  /** Path of `default`; undefined without it. */
  readonly defaultingPath: string | undefined;
  /** Path of `validate`; undefined without it. */
  readonly validationPath: string | undefined;
}

/** A webhook of any kind, without the types of its functions. */
export interface AnyWebhook extends Omit<Webhook, 'for' | 'options'> {
  /** The kind whose objects it defaults and validates. */
  readonly for: Resource;
  /** The options as passed to `defineWebhook`. */
  readonly options: Omit<WebhookOptions<KubeObject>, 'default' | 'validate'> & {
    default?(object: never, context: AdmissionContext): unknown;
    readonly validate?: {
      create?(object: never, context: AdmissionContext): unknown;
      update?(object: never, old: never, context: AdmissionContext): unknown;
      delete?(object: never, context: AdmissionContext): unknown;
    };
  };
}

/** Operation on the object. `CONNECT` is not supported. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** A request to the API server, without its objects. Names and semantics: admission/v1 `AdmissionRequest`. */
export interface AdmissionRequest {
  /** Identifies this call of the webhook in the logs of both sides. */
  readonly uid: string;
  /** Operation on the object. */
  readonly operation: AdmissionOperation;
  /** Type of the object as passed to the webhook. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** The same type, as in URLs. */
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Such as `status`; absent for the object itself. */
  readonly subResource?: string;
  /** Type in the client's request, if the API server had to convert the object for the webhook (`matchPolicy: Equivalent`). */
  readonly requestKind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** The same type, as in URLs. */
  readonly requestResource?: { readonly group: string; readonly version: string; readonly resource: string };
  /** Subresource in the client's request; absent for the object itself. */
  readonly requestSubResource?: string;
  /** Absent until the API server has generated it from `generateName`. */
  readonly name?: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  /** User of the request. */
  readonly userInfo: UserInfo;
  /** True: nothing will be stored, and the webhook must not change anything else either. */
  readonly dryRun: boolean;
  /** The options of the operation, such as `CreateOptions`. */
  readonly options?: Readonly<Record<string, unknown>>;
}
