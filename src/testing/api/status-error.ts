import type { FieldError } from './field-error.ts';
import type { JsonObject } from './json.ts';

/** A group and a resource, for messages: `deployments.apps`. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

export interface Details {
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

/** A refusal, with the body of the answer. Source: apimachinery `pkg/api/errors`. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: Details | undefined;

  constructor(code: number, reason: string, message: string, details?: Details) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /** As the server sends it. */
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

/** `deployments.apps`; `pods` for the core group. */
export function resourceText({ group, plural }: GroupResource): string {
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

/** A path that leads nowhere, in a group that exists. */
export function noSuchResource(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

/** 422, with a cause a field. */
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
