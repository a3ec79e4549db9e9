import { randomUUID } from 'node:crypto';
import type { KubeObject, Stored } from '../../sdk/api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import type { UserInfo } from '../../sdk/k8s/generated/authentication/v1.ts';
import {
  createLogger,
  type AdmissionOperation,
  type ControllerClient,
  type FieldError,
  type Submitted,
  type Webhook,
  answerAdmission,
  type AdmissionEnvironment,
  type AdmissionResponse,
  type Door,
} from '../../sdk/runtime/index.ts';
import type { JsonPatchOperation } from '../../sdk/kube/index.ts';
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import type { JsonObject } from '../../kubernetes/objects/index.ts';
import { jsonPatch } from '../api/status-error.ts';

/** An admission request with which `callWebhook` calls a webhook. */
export interface WebhookCall<T extends KubeObject> {
  /** The requested operation on the object. */
  readonly operation: AdmissionOperation;
  /** The object as the user sends it; `apiVersion` and `kind` may be omitted. For `DELETE`, the object to delete. */
  readonly object: Omit<Submitted<T>, 'apiVersion' | 'kind'>;
  /** For `UPDATE`, the object as it is stored before the update. Default: `object`. */
  readonly oldObject?: Omit<Stored<T>, 'apiVersion' | 'kind'>;
  /** The user who sends the request. Default: `{ username: 'test' }`. */
  readonly user?: UserInfo;
  /** True if the request is a dry run. Default: false. */
  readonly dryRun?: boolean;
  /** Requested subresource, such as `status`. Default: none, which means the object itself. */
  readonly subResource?: string;
  /** Client for the webhook, such as `client` of `createTestApi`. Default: no client, so a webhook that uses its client throws. */
  readonly client?: ControllerClient;
}

/** The outcome of an admission request for which `callWebhook` called a webhook. */
export interface WebhookOutcome<T extends KubeObject> {
  /** True if both `default` and `validate` allowed the request. */
  readonly allowed: boolean;
  /** The object after `default`; equal to the input if `default` changed nothing. */
  readonly object: Submitted<T>;
  /** The changes made by `default`; undefined if there were none. */
  readonly patch: readonly JsonPatchOperation[] | undefined;
  /** The fields that `validate` refused, with the messages that the API server shows to the user. */
  readonly errors: readonly Required<
    Pick<FieldError<T>, 'reason' | 'message'> & { readonly field: string }
  >[];
  /** Status of the refusal, as the user sees it; undefined if the request was allowed. */
  readonly status:
    { readonly code?: number; readonly reason?: string; readonly message?: string } | undefined;
  /** The warnings that `default` and `validate` issued by calling `warn`. */
  readonly warnings: readonly string[];
}

/**
 * Calls a webhook for a request in this process, as the API server does: first `default`, then `validate` with the result of `default`. The
 * schema is not checked, so `default` and `validate` also get objects that a real API server (`startControlPlane`) would refuse because of
 * their schema. If the webhook throws, `status` of the result contains the error.
 *
 * @throws OpSdkError `testapi/unsupported` if the webhook uses its client and none was given
 *
 * @example
 * const { object } = await callWebhook(memcachedWebhook, { operation: 'CREATE', object: { metadata: { name: 'a' }, spec: {} } });
 * expect(object.spec.size).toBe(3);
 */
export async function callWebhook<T extends KubeObject>(
  webhook: Webhook<T>,
  call: WebhookCall<T>,
): Promise<WebhookOutcome<T>> {
  const warnings: string[] = [];
  let missing: OpSdkError | undefined;
  const environment: AdmissionEnvironment = {
    client: () =>
      call.client ??
      unusableClient(() => {
        missing ??= new OpSdkError({
          code: 'testapi/unsupported',
          message: 'callWebhook: the webhook uses a client: expected `client` in the options, got none',
          fix: ['pass `client`, such as that of createTestApi'],
        });
        return missing;
      }),
    signal: () => new AbortController().signal,
    log: createLogger({ level: 'fatal', destination: { write: () => undefined } }),
    typeFault: () => Promise.resolve(undefined),
  };
  const ask = async (door: Door, object: JsonObject): Promise<AdmissionResponse> => {
    const { response } = await answerAdmission(webhook, door, reviewOf(webhook, call, object), environment);
    if (missing !== undefined) throw missing;
    warnings.push(...(response.warnings ?? []));
    return response;
  };
  const { apiVersion, kind } = webhook.for;
  let object = asJson({ apiVersion, kind, ...call.object });
  let patch: readonly JsonPatchOperation[] | undefined;
  let response: AdmissionResponse | undefined;
  if (webhook.defaultingPath !== undefined && call.operation !== 'DELETE') {
    response = await ask('defaulting', object);
    if (response.patch !== undefined) {
      patch = JSON.parse(Buffer.from(response.patch, 'base64').toString('utf8')) as JsonPatchOperation[];
      object = jsonPatch(object, patch as never) as JsonObject;
    }
  }
  if (webhook.validationPath !== undefined && response?.allowed !== false)
    response = await ask('validation', object);
  const allowed = response?.allowed ?? true;
  const status = allowed ? undefined : response?.status;
  const errors = jsonListOf(jsonMapOf(status?.details)['causes']);
  return {
    allowed,
    object: object as unknown as Submitted<T>,
    patch,
    errors: errors as WebhookOutcome<T>['errors'],
    status,
    warnings,
  };
}

/**
 * Returns a client that throws when a property of it is read. Destructuring the client from the webhook's context, as in `{ client, warn
 * }`, does not throw.
 */
function unusableClient(errorOf: () => OpSdkError): ControllerClient {
  return new Proxy({} as ControllerClient, {
    get() {
      throw errorOf();
    },
  });
}

/**
 * Builds the AdmissionReview that the API server would send for a request. Source: admission/v1 `AdmissionReview`.
 */
function reviewOf<T extends KubeObject>(
  { for: resource }: Webhook<T>,
  { operation, oldObject, user = { username: 'test' }, dryRun = false, subResource }: WebhookCall<T>,
  object: JsonObject,
): unknown {
  const { group, version, kind, plural, apiVersion } = resource;
  const { name, namespace } = jsonMapOf(object['metadata']);
  const stored = oldObject === undefined ? object : asJson({ apiVersion, kind, ...oldObject });
  // The objects are copied, because the webhook may freeze its input and this module uses the objects again.
  return structuredClone({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: randomUUID(),
      operation,
      kind: { group, version, kind },
      resource: { group, version, resource: plural },
      subResource,
      name,
      namespace,
      userInfo: user,
      dryRun,
      object: operation === 'DELETE' ? null : object,
      oldObject: operation === 'CREATE' ? null : stored,
    },
  });
}

/** Returns the object as it would arrive over the network, with only the values that JSON can represent. */
function asJson(object: object): JsonObject {
  return JSON.parse(JSON.stringify(object)) as JsonObject;
}
