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

/** An object before it is stored. Its `name` may still have to be generated from `generateName`, and a new object has no uid. */
export type Submitted<T extends KubeObject> = Omit<T, 'metadata'> & { metadata: ObjectMeta };

/** Last argument of the functions of a webhook. */
export interface AdmissionContext {
  /** The request to the API server: operation, user, dry run, subresource. */
  readonly request: AdmissionRequest;
  /**
   * Reads the declared kinds from the cache (`client.live` reads from the API server), and writes under the manager's name. Every replica
   * answers webhook calls, not only the leader. A webhook that writes needs `sideEffects: 'NoneOnDryRun'`, and must not write if
   * `request.dryRun` is true.
   */
  readonly client: ControllerClient;
  /** Logger that adds the webhook, the object and the request to each line. */
  readonly log: Logger;
  /**
   * Signal that is aborted when the API server no longer waits for the answer, and when the operator stops. The calls of `client` already
   * use it.
   */
  readonly signal: AbortSignal;
  /** Sends a warning to the user; `kubectl` prints it. Only the first 120 characters are guaranteed to be shown. */
  readonly warn: (message: string) => void;
}

/** An invalid field. The API server shows it like the errors of its own validation. */
export interface FieldError<T> {
  /** Path of the field relative to the object, such as `.spec.size` or `.spec.ports[0].name`. TypeScript checks and completes it. */
  readonly path: JsonPath<T>;
  /** Requirement that the value must meet, such as `must be odd`. */
  readonly message: string;
  /** The invalid value, which the error message shows. Default: the message shows no value. */
  readonly value?: unknown;
  /** Kind of the error. Default: `FieldValueInvalid`. Source: apimachinery `metav1.CauseType`. */
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
 * Conditions under which the API server calls a webhook, and the behaviour of the API server if the webhook does not answer. Names and
 * semantics are those of admissionregistration.k8s.io/v1.
 */
export interface AdmissionSettings {
  /** Decision about the request if the webhook does not answer. Default: `Fail`, which refuses the request. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** Side effects of a webhook call. `NoneOnDryRun`: side effects occur only if `request.dryRun` is false. Default: `None`. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  /** Seconds for which the API server waits for the answer: 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number;
  /**
   * `Equivalent`: the API server also calls the webhook for other versions of the kind, and converts their objects. Default: `Equivalent`.
   */
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  /** CEL expressions that must all be true for the webhook to be called. Default: none. */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  /** Restricts the webhook to objects in namespaces with these labels. Default: all namespaces. */
  readonly namespaceSelector?: LabelSelector;
  /**
   * Restricts the webhook to objects with these labels. Default: all objects; for built-in kinds of Kubernetes, all except those of the
   * operator itself.
   */
  readonly objectSelector?: LabelSelector;
}

/**
 * Options of `defineWebhook`. `op-sdk generate manifests` reads all options except the functions from the source, so write them as
 * literals.
 */
export interface WebhookOptions<T extends KubeObject> extends AdmissionSettings {
  /**
   * Fills in omitted fields on create and update by changing `object`. The object is a private copy, and the difference is sent to the API
   * server. The object is not validated yet: a required field may be missing, and a field may have an invalid type. If `default` throws
   * because of an invalid type, the webhook allows the request, so that the API server refuses it.
   */
  default?(object: Mutable<Submitted<T>>, context: AdmissionContext): void | Promise<void>;
  /** Checks an object that conforms to the schema, and returns its errors. Throw to refuse the object with one message. */
  readonly validate?: {
    create?(object: DeepReadonly<T>, context: AdmissionContext): Validated<T>;
    update?(object: DeepReadonly<T>, old: Stored<T>, context: AdmissionContext): Validated<T>;
    delete?(object: Stored<T>, context: AdmissionContext): Validated<T>;
  };
  /**
   * Subresources whose requests the webhook also handles. The requests must contain an object of the kind itself, as those for `status` do.
   * Default: none.
   */
  readonly subresources?: readonly string[];
  /** Settings for `default` only. They override the settings that `default` and `validate` share. */
  readonly defaulting?: AdmissionSettings & {
    /** `IfNeeded`: the API server calls `default` again if another webhook has changed the object afterwards. Default: `Never`. */
    readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
    /** URL path of `default`. Default: `/mutate-<group>-<version>-<kind>`, in lower case, with dashes instead of dots. */
    readonly path?: `/${string}`;
  };
  /** Settings for `validate` only. They override the settings that `default` and `validate` share. */
  readonly validation?: AdmissionSettings & {
    /** URL path of `validate`. Default: `/validate-<group>-<version>-<kind>`, in lower case, with dashes instead of dots. */
    readonly path?: `/${string}`;
  };
}

/** A declared webhook, for `manager.add`. The fields are described at {@link WebhookOptions}. */
export interface Webhook<T extends KubeObject = KubeObject> {
  /** Distinguishes a webhook from other arguments of `manager.add`. */
  readonly role: 'webhook';
  /** The kind whose objects the webhook defaults and validates. */
  readonly for: Resource<T>;
  /** The options as passed to `defineWebhook`. */
  readonly options: WebhookOptions<T>;
  /** URL path of the function `default`; undefined if the webhook lacks this function. */
  readonly defaultingPath: string | undefined;
  /** URL path of the function `validate`; undefined if the webhook lacks this function. */
  readonly validationPath: string | undefined;
}

/** A webhook of any kind, without the types of its functions. */
export interface AnyWebhook extends Omit<Webhook, 'for' | 'options'> {
  /** The kind whose objects the webhook defaults and validates. */
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

/** A request to the API server, without the objects in it. Names and semantics are those of admission/v1 `AdmissionRequest`. */
export interface AdmissionRequest {
  /** Identifies this call of the webhook in the logs of the API server and of the operator. */
  readonly uid: string;
  /** Operation on the object. */
  readonly operation: AdmissionOperation;
  /** Type of the object that the webhook receives. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** Type of the object that the webhook receives, as in URLs: with the plural name instead of the kind. */
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Subresource of the request, such as `status`; absent for the object itself. */
  readonly subResource?: string;
  /**
   * Type of the object in the client's request, if the API server had to convert the object for the webhook (`matchPolicy: Equivalent`).
   */
  readonly requestKind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Type of the object in the client's request, as in URLs: with the plural name instead of the kind. */
  readonly requestResource?: { readonly group: string; readonly version: string; readonly resource: string };
  /** Subresource in the client's request; absent for the object itself. */
  readonly requestSubResource?: string;
  /** Name of the object; absent until the API server has generated it from `generateName`. */
  readonly name?: string;
  /** Namespace of the object; absent for cluster-scoped objects. */
  readonly namespace?: string;
  /** User who sent the request. */
  readonly userInfo: UserInfo;
  /** True for a dry run: nothing will be stored, and the webhook must not change anything else either. */
  readonly dryRun: boolean;
  /** The options of the operation, such as `CreateOptions`. */
  readonly options?: Readonly<Record<string, unknown>>;
}
