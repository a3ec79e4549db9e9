import type { Resource, KubeObject } from '../../../api/index.ts';
import { unsafeIntegers, type Status } from '../../../kube/index.ts';
import { jsonMapOf, jsonTextOf, type JsonMap, isJsonMap } from '../../../../base/util/json-map.ts';
import type { ControllerClient } from '../../client/index.ts';
import { isPanic } from '../../controller/result.ts';
import type { Logger } from '../../create-logger.ts';
import { deepFreeze } from '../../deep-freeze.ts';
import type { AdmissionContext, AnyWebhook, FieldError } from '../webhook.ts';
import { jsonDifference, type PatchOperation, failure, refusalOf } from './json-difference.ts';
import { InvalidReview, readReview, type AdmissionQuestion } from './read-review.ts';

/** Response of a webhook. Source: admission/v1 `AdmissionResponse`. */
export interface AdmissionResponse {
  /** UID of the request; empty if the request has none. */
  readonly uid: string;
  readonly allowed: boolean;
  readonly status: Pick<Status, 'code'> & Partial<Status>;
  readonly warnings?: readonly string[];
  readonly patchType?: 'JSONPatch';
  /** The JSON patch of a defaulting webhook, in base64. */
  readonly patch?: string;
}

/** The AdmissionReview that is returned to the API server. Source: admission/v1. */
export interface AdmissionReviewAnswer {
  readonly apiVersion: 'admission.k8s.io/v1';
  readonly kind: 'AdmissionReview';
  readonly response: AdmissionResponse;
}

/** Environment of a request. Client, logger and signal are created on demand, because creating them has a cost. */
export interface AdmissionEnvironment {
  readonly client: () => ControllerClient;
  readonly signal: () => AbortSignal;
  readonly log: Logger;
  /**
   * Returns the location of a field whose type the API server would not accept; undefined if all types are correct, or if the schema is
   * unknown. Called only if the function `default` has failed.
   */
  readonly typeFault: (kind: Resource, object: JsonMap) => Promise<string | undefined>;
  /** Called when the webhook or conversion fails. `isPanic` is true for a mistake in the program, such as a TypeError. */
  readonly onFailure?: (error: unknown, isPanic: boolean) => void;
}

/** The webhook of a kind that handles the request: the defaulting or the validating one. */
export type Door = 'defaulting' | 'validation';

type Outcome = Omit<AdmissionResponse, 'uid' | 'warnings'>;

/**
 * Answers an admission review, which may come from anybody. Never rejects, and refuses every request that it does not understand.
 *
 * @param review parsed JSON, which is frozen by this call
 */
export async function answerAdmission(
  webhook: AnyWebhook,
  door: Door,
  review: unknown,
  environment: AdmissionEnvironment,
): Promise<AdmissionReviewAnswer> {
  let question: AdmissionQuestion;
  try {
    question = readReview(review, webhook.for);
  } catch (error) {
    const message = error instanceof InvalidReview ? error.message : 'the review cannot be read';
    environment.log.error({ error }, 'Invalid admission review');
    return unreadableReview(400, message, error instanceof InvalidReview ? error.uid : '');
  }
  const { uid } = question.request;
  const warnings: string[] = [];
  const context = contextOf(question, environment, warnings);
  const outcome = await (
    door === 'defaulting'
      ? defaulted(webhook, question, context, environment)
      : validated(webhook, question, context)
  ).catch((error: unknown): Outcome => {
    if (isPanic(error)) {
      environment.onFailure?.(error, true);
      context.log.error({ error }, 'Webhook failed');
    } else {
      context.log.debug({ error }, 'Webhook refused');
    }
    return { allowed: false, status: refusalOf(error) };
  });
  return answerOf({ uid, ...outcome, ...(warnings.length === 0 ? {} : { warnings }) });
}

/** Returns the response to a body that is not a readable AdmissionReview of `admission.k8s.io/v1`. */
export function unreadableReview(
  code: 400 | 413 | 429 | 500,
  message: string,
  uid = '',
): AdmissionReviewAnswer {
  const reasons = {
    400: 'BadRequest',
    413: 'RequestEntityTooLarge',
    429: 'TooManyRequests',
    500: 'InternalError',
  } as const;
  return answerOf({ uid, allowed: false, status: failure(code, reasons[code], message) });
}

function answerOf(response: AdmissionResponse): AdmissionReviewAnswer {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

const allowed: Outcome = { allowed: true, status: { code: 200 } };

async function defaulted(
  webhook: AnyWebhook,
  { request, object }: AdmissionQuestion,
  context: AdmissionContext,
  { typeFault }: AdmissionEnvironment,
): Promise<Outcome> {
  // A deletion needs no defaults.
  if (object === undefined) return allowed;
  // Copies through JSON, the original format of the object, because this is several times faster than `structuredClone`.
  const draft = JSON.parse(JSON.stringify(object)) as JsonMap;
  let patch: readonly PatchOperation[];
  try {
    const returned: unknown = await webhook.options.default?.(draft as never, context);
    if (returned !== undefined)
      throw new TypeError(
        'the function default returned a value; expected it to change the object that it gets, and return nothing',
      );
    patch = jsonDifference(object, draft);
    refuseRounding(object, patch);
  } catch (error) {
    if (!isPanic(error)) throw error;
    // Defaulting runs before validation. So `default` may fail because of an invalid object, which the API server is about to refuse.
    const fault = await typeFault(webhook.for, object);
    if (fault === undefined) throw error;
    context.log.info(
      { error, fault, user: request.userInfo.username },
      'Object not defaulted: one of its fields has another type than its schema says',
    );
    return allowed;
  }
  if (patch.length === 0) return allowed;
  const text = Buffer.from(JSON.stringify(patch)).toString('base64');
  return { ...allowed, patchType: 'JSONPatch', patch: text };
}

/**
 * Refuses a patch that writes integers that JSON.parse has rounded; rounded integers that the patch does not write are allowed. @throws
 * TypeError
 */
function refuseRounding(object: JsonMap, patch: readonly PatchOperation[]): void {
  const written = patch.flatMap((operation) =>
    'value' in operation
      ? unsafeIntegers(operation.value).map(
          ({ path }) => `${operation.path}${path.replaceAll(/[.[]/g, '/').replaceAll(']', '')}`,
        )
      : [],
  );
  const [path] = written;
  if (path !== undefined && unsafeIntegers(object).length > 0)
    throw new TypeError(
      `the function default wrote an integer beyond 2^53-1 to ${path}, which JavaScript has rounded`,
    );
}

async function validated(
  webhook: AnyWebhook,
  { request, object, oldObject }: AdmissionQuestion,
  context: AdmissionContext,
): Promise<Outcome> {
  const { validate = {} } = webhook.options;
  const current = deepFreeze(object);
  const stored = deepFreeze(oldObject);
  let returned: unknown;
  // The kind, and the objects that the operation requires, were checked before.
  if (request.operation === 'CREATE') returned = validate.create?.(current as never, context);
  else if (request.operation === 'UPDATE')
    returned = validate.update?.(current as never, stored as never, context);
  else returned = validate.delete?.(stored as never, context);
  const errors = fieldErrors(await returned);
  if (errors.length === 0) return allowed;
  return { allowed: false, status: invalidStatus(webhook.for, nameOf(request.name, current), errors) };
}

function nameOf(name: string | undefined, object: JsonMap | undefined): string {
  return name ?? jsonTextOf(jsonMapOf(object?.['metadata'])['name']);
}

function contextOf(
  { request }: AdmissionQuestion,
  environment: AdmissionEnvironment,
  warnings: string[],
): AdmissionContext {
  let client: ControllerClient | undefined;
  let log: Logger | undefined;
  return {
    request,
    get client() {
      return (client ??= environment.client());
    },
    get log() {
      const { uid, kind, namespace, name, userInfo, operation } = request;
      return (log ??= environment.log.child({
        ...{ kind: kind.kind, namespace, name },
        ...{ operation, user: userInfo.username, requestID: uid },
      }));
    },
    get signal() {
      return environment.signal();
    },
    warn: (message) => void warnings.push(String(message)),
  };
}

/**
 * The API server's reasons for an invalid field, with the text of each reason. `showsValue` is true if the message includes the value.
 * Source: apimachinery `field.Error`.
 */
const reasons = {
  FieldValueInvalid: { text: 'Invalid value', showsValue: true },
  FieldValueForbidden: { text: 'Forbidden', showsValue: false },
  FieldValueRequired: { text: 'Required value', showsValue: false },
  FieldValueDuplicate: { text: 'Duplicate value', showsValue: true },
  FieldValueNotSupported: { text: 'Unsupported value', showsValue: true },
  FieldValueNotFound: { text: 'Not found', showsValue: true },
  FieldValueTooLong: { text: 'Too long', showsValue: false },
  FieldValueTooMany: { text: 'Too many', showsValue: true },
} as const satisfies Record<NonNullable<FieldError<KubeObject>['reason']>, unknown>;

/**
 * Returns a status with the invalid fields of an object, in the format of the API server's own validation. Source: apimachinery
 * `errors.NewInvalid`.
 *
 * @param name name of the object; empty while the object has none
 */
function invalidStatus(
  { group, kind }: Pick<Resource, 'group' | 'kind'>,
  name: string,
  errors: readonly FieldError<KubeObject>[],
): Status {
  const causes = errors.map((error) => ({
    reason: error.reason ?? 'FieldValueInvalid',
    message: bodyOf(error),
    field: error.path.replace(/^\./, ''),
  }));
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const list = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  const type = group === '' ? kind : `${kind}.${group}`;
  return {
    kind: 'Status',
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message: `${type} ${JSON.stringify(name)} is invalid: ${list}`,
    details: { name, group, kind, causes },
  };
}

function bodyOf({ reason = 'FieldValueInvalid', value, message }: FieldError<KubeObject>): string {
  const { text, showsValue } = reasons[reason];
  const shown =
    value === undefined || !showsValue ? text : `${text}: ${JSON.stringify(value) ?? typeof value}`;
  return message === '' ? shown : `${shown}: ${message}`;
}

/**
 * Checks the value that a `validate` function returned, because a mistake in that function must not allow an object.
 *
 * @throws TypeError if the value is invalid
 */
function fieldErrors(returned: unknown): readonly FieldError<KubeObject>[] {
  if (returned === undefined) return [];
  if (!Array.isArray(returned))
    throw new TypeError(
      `validate: expected a list of { path, message } or nothing, got ${returned === null ? 'null' : typeof returned}`,
    );
  for (const error of returned as readonly unknown[]) {
    if (!isJsonMap(error) || typeof error['path'] !== 'string' || typeof error['message'] !== 'string')
      throw new TypeError(
        `validate: expected { path, message }, got ${JSON.stringify(error) ?? typeof error}`,
      );
    if (error['reason'] !== undefined && !Object.hasOwn(reasons, error['reason'] as string))
      throw new TypeError(`validate: unknown reason ${JSON.stringify(error['reason'])} of ${error['path']}`);
  }
  return returned as readonly FieldError<KubeObject>[];
}
