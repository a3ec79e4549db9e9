import {
  type FieldError,
  type JsonObject,
  applyJsonPatchStep,
  clone,
  isObject,
  JsonPatchError,
  readJsonPatchStep,
  type Json,
} from '../../kubernetes/objects/index.ts';
import { ownField } from '../../base/util/json-map.ts';
import { OpSdkError } from '../../base/errors/index.ts';

/** A group and the plural name of a resource, as shown in messages: `deployments.apps`. */
interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

interface Details {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly causes?: readonly {
    readonly reason?: string;
    readonly message: string;
    readonly field?: string;
  }[];
  readonly retryAfterSeconds?: number;
}

/** Error for a request that the server refuses; holds the content of the response body. Source: apimachinery `pkg/api/errors`. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: Details | undefined;
  /** Texts of the Warning headers of the response. */
  warnings: readonly string[] = [];

  constructor(code: number, reason: string, message: string, details?: Details) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /** Returns the `Status` object that the server sends as the response body. */
  toBody(): JsonObject {
    const { code, reason, message, details } = this;
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details: detailsBody(details) }),
      code,
    };
  }
}

function detailsBody(details: Details): JsonObject {
  const { name, group, kind, causes = [], retryAfterSeconds } = details;
  return {
    ...(name === undefined || name === '' ? {} : { name }),
    ...(group === undefined || group === '' ? {} : { group }),
    ...(kind === undefined || kind === '' ? {} : { kind }),
    ...(causes.length === 0 ? {} : { causes: causes.map((cause) => ({ ...cause })) }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** Returns the resource name for messages: `deployments.apps`, or `pods` for the core group. */
function resourceText({ group, plural }: GroupResource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

const detailsOf = ({ group, plural }: GroupResource, name: string): Details => ({
  name,
  group,
  kind: plural,
});

export function notFound(resource: GroupResource, name: string): StatusError {
  const message = `${resourceText(resource)} ${JSON.stringify(name)} not found`;
  return new StatusError(404, 'NotFound', message, detailsOf(resource, name));
}

export function alreadyExists(resource: GroupResource, name: string, prefix = ''): StatusError {
  const message = `${prefix}${resourceText(resource)} ${JSON.stringify(name)} already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(resource, name));
}

export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceText(resource)} ${JSON.stringify(name)}: ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(resource, name));
}

export const optimisticLock =
  'the object has been modified; please apply your changes to the latest version and try again';

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function internalError(message: string): StatusError {
  return new StatusError(500, '', message);
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** Creates the 404 response for an unknown resource in a group that exists. */
export function noSuchResource(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

/** Creates a 422 response that lists a cause for each invalid field. */
export function invalidAnswer(
  { group, kind }: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const qualified = group === '' ? kind : `${kind}.${group}`;
  const texts = [...new Set(errors.map(({ field, body }) => `${field}: ${body}`))];
  const [first = ''] = texts;
  const all = texts.length === 1 ? first : `[${texts.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${qualified} ${JSON.stringify(name)} is invalid: ${all}`, {
    name,
    group,
    kind,
    causes: errors.map(({ type, body, field }) => ({ reason: type, message: body, field })),
  });
}

/**
 * Applies a JSON patch to a document.
 * @throws StatusError 400 if the patch is malformed, 422 if it cannot be applied
 */
export function jsonPatch(document: JsonObject, patch: Json): Json {
  if (!Array.isArray(patch) || patch.some((operation) => !isObject(operation)))
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
  return patch.reduce(applied, clone(document));
}

function applied(document: Json, operation: Json): Json {
  const read = readJsonPatchStep(isObject(operation) ? { value: null, ...operation } : operation);
  try {
    if ('step' in read) return applyJsonPatchStep(document, read.step, clone);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
  }
  throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

/** Applies a merge patch. Source: RFC 7386. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(ownField(result, name) ?? null, value);
  }
  return result;
}

/**
 * Creates the error for a request that this in-memory server cannot answer like a real one. Throw this error instead of guessing a
 * response.
 */
export function unsupportedHere(what: string, ...fix: readonly string[]): OpSdkError {
  return new OpSdkError({
    code: 'testapi/unsupported',
    message: `the test API does not support ${what}`,
    fix: [...fix, 'or test it against a real API server: startControlPlane of opsdk/testing'],
  });
}
