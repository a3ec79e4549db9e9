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

/** An object on its way to the API server's store: `name` may still have to be made from `generateName`, and a new one has no uid. */
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
  /** Names webhook, object and request in each line. */
  readonly log: Logger;
  /** Aborted when the API server waits no longer, and when the operator stops. The client's calls have it already. */
  readonly signal: AbortSignal;
  /** Shows the user a warning, as `kubectl` prints them. At most 120 characters are sure to be shown. */
  readonly warn: (message: string) => void;
}

/** A field that is not as it should be. The API server shows it as it shows those of its own validation. */
export interface FieldError<T> {
  /** Relative to the object: `.spec.size`, `.spec.ports[0].name`. Checked against the type, with completion. */
  readonly path: JsonPath<T>;
  /** The expectation, such as `must be odd`. */
  readonly message: string;
  /** Value that was found, for the message. Default: none is shown. */
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

/** When the API server asks a webhook, and what it does without an answer. Names and meanings: admissionregistration.k8s.io/v1. */
export interface AdmissionSettings {
  /** Treatment of the request when the webhook does not answer. Default: `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** Side effects of an answer. `NoneOnDryRun`: only if `request.dryRun` is false. Default: `None`. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  /** Seconds for which the API server waits: 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number;
  /** `Equivalent`: requests for other versions of the kind come too, converted. Default: `Equivalent`. */
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  /** CEL expressions that must all be true for the webhook to be asked. Default: none. */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  /** Only objects in namespaces with these labels. Default: all. */
  readonly namespaceSelector?: LabelSelector;
  /** Only objects with these labels. Default: all; for kinds of Kubernetes, all but the operator's own. */
  readonly objectSelector?: LabelSelector;
}

/** Options of `defineWebhook`. `op-sdk generate manifests` reads all but the functions from the source: write literals. */
export interface WebhookOptions<T extends KubeObject> extends AdmissionSettings {
  /**
   * Fills in what the user left out, on create and update, by changing the object: a private copy, whose difference is what the API server gets.
   * Nobody has validated the object yet: a required field may be missing, and a field may have another type than it should. If it has, and
   * `default` throws because of it, the request is let through for the API server to refuse.
   */
  default?(object: Mutable<Submitted<T>>, context: AdmissionContext): void | Promise<void>;
  /** Says what is wrong with an object that has passed the schema. Throw to refuse with one message. */
  readonly validate?: {
    create?(object: DeepReadonly<T>, context: AdmissionContext): Validated<T>;
    update?(object: DeepReadonly<T>, old: Stored<T>, context: AdmissionContext): Validated<T>;
    delete?(object: Stored<T>, context: AdmissionContext): Validated<T>;
  };
  /** Requests for these subresources come too; they must carry the kind itself, as `status` does. Default: none. */
  readonly subresources?: readonly string[];
  /** For `default` alone, before the settings of both. */
  readonly defaulting?: AdmissionSettings & {
    /** `IfNeeded`: asked again if another webhook changed the object afterwards. Default: `Never`. */
    readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
    /** Default: `/mutate-<group>-<version>-<kind>`, with dashes for dots, in lower case. */
    readonly path?: `/${string}`;
  };
  /** For `validate` alone, before the settings of both. */
  readonly validation?: AdmissionSettings & {
    /** Default: `/validate-<group>-<version>-<kind>`, with dashes for dots, in lower case. */
    readonly path?: `/${string}`;
  };
}

/** A declared webhook, for `manager.add`. See {@link WebhookOptions}. */
export interface Webhook<T extends KubeObject = KubeObject> {
  /** Tells it from the other things that a manager takes. */
  readonly role: 'webhook';
  /** The kind whose objects it defaults and validates. */
  readonly for: Resource<T>;
  /** As given. */
  readonly options: WebhookOptions<T>;
  /** Where `default` is served; undefined without it. */
  readonly defaultingPath: string | undefined;
  /** Where `validate` is served; undefined without it. */
  readonly validationPath: string | undefined;
}

/** A webhook of whatever kind: what its functions take and give is known to their author alone. */
export interface AnyWebhook extends Omit<Webhook, 'for' | 'options'> {
  /** The kind whose objects it defaults and validates. */
  readonly for: Resource;
  /** As given. */
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

/** A request to the API server, without its objects. Names and meanings: admission/v1 `AdmissionRequest`. */
export interface AdmissionRequest {
  /** Names this question to the webhook in the logs of both sides. */
  readonly uid: string;
  /** Operation on the object. */
  readonly operation: AdmissionOperation;
  /** Type of the object, as the webhook gets it. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** The same type, as it is in URLs. */
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Such as `status`; absent for the object itself. */
  readonly subResource?: string;
  /** As the client asked, if the API server had to convert the object for the webhook (`matchPolicy: Equivalent`). */
  readonly requestKind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** The same, as it is in URLs. */
  readonly requestResource?: { readonly group: string; readonly version: string; readonly resource: string };
  /** As the client asked; absent for the object itself. */
  readonly requestSubResource?: string;
  /** Absent while the API server has yet to make it from `generateName`. */
  readonly name?: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  /** User of the request. */
  readonly userInfo: UserInfo;
  /** True: nothing will be stored, so nothing else may be changed either. */
  readonly dryRun: boolean;
  /** The options of the operation, such as `CreateOptions`. */
  readonly options?: Readonly<Record<string, unknown>>;
}
