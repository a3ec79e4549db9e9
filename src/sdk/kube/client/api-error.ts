import type { Resource } from '../../api/index.ts';
import { OpSdkError, type ErrorCode } from '../../../base/errors/index.ts';
import { parseRetryAfter, secrets } from '../../net/index.ts';
import type { ObjectKey } from '../types.ts';
import { describeTarget, type CallTarget, isStatus, type Status } from './calls.ts';

/**
 * A failure that the API server reported: an HTTP status other than 2xx (redirects are never followed), or an ERROR event of a watch.
 * Source: apimachinery `metav1.Status`.
 */
export class ApiError extends OpSdkError {
  /** The HTTP status, or the `code` of the Status object in an ERROR event of a watch. */
  readonly status: number;
  /** The machine-readable reason, such as `NotFound`, `Conflict`, `Invalid`; `''` if the server gave no reason. */
  readonly reason: string;
  /** Details that the server gave: the object's name and kind and, for `Invalid`, one cause per field. Undefined if it gave no details. */
  readonly details: Status['details'];
  /** Milliseconds that the server asks the client to wait before the next try. */
  readonly retryAfter: number | undefined;
  /** The server's own message, without a description of the request. */
  readonly serverMessage: string;
  /** The target of the failed request. */
  readonly target: CallTarget;

  constructor(
    target: CallTarget,
    status: number,
    body: Status | string,
    retryAfter?: number,
    knownFixes: readonly string[] = [],
  ) {
    const reply = typeof body === 'string' ? undefined : body;
    const reason = reply?.reason ?? '';
    const said = secrets.redact(
      typeof body === 'string' ? plainMessage(status, body) : (reply?.message ?? `HTTP status ${status}`),
    );
    const code = codeOf(status, reply);
    const message = `${describeTarget(target)}: ${said}`;
    const fix = knownFixes.length > 0 ? knownFixes : fixFor(code, status, reply, target);
    super({ code, message, ...(fix.length === 0 ? {} : { fix }) }, { summary: message });
    this.name = 'ApiError';
    this.status = status;
    this.reason = reason;
    this.details = reply?.details;
    this.serverMessage = said;
    this.retryAfter = retryAfter ?? askedIn(reply);
    this.target = target;
  }

  /** Creates the error from the body of an HTTP response. */
  static fromResponse(
    target: CallTarget,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    knownFixes: readonly string[] = [],
  ): ApiError {
    // Secrets are removed from the body, because the API server and the proxies in front of it may quote the request.
    const text = secrets.redact(body);
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Not from the API server's own handlers: a proxy, or `404 page not found` for a path that is not served.
    }
    return new ApiError(
      target,
      status,
      isStatus(parsed) ? parsed : text,
      retryAfterOf(headers['retry-after']),
      knownFixes,
    );
  }
}

/**
 * Returns the error for an object that does not exist. Used where objects are read from a source other than the API server, such as a
 * cache.
 */
export function objectNotFound(resource: Resource, key: ObjectKey): ApiError {
  const type = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  return new ApiError({ verb: 'get', resource, namespace: key.namespace, name: key.name }, 404, {
    kind: 'Status',
    status: 'Failure',
    reason: 'NotFound',
    code: 404,
    message: `${type} "${key.name}" not found`,
    details: { name: key.name, group: resource.group, kind: resource.plural },
  });
}

/**
 * Maximum delay that a server may request, in milliseconds. If the server requests a longer delay, the operator retries after this maximum.
 */
const longestRetryAfter = 300_000;

/** Returns the delay of a Retry-After header in milliseconds, at most five minutes. */
export function retryAfterOf(value: string | undefined): number | undefined {
  const wait = parseRetryAfter(value, Date.now());
  return wait === undefined ? undefined : Math.min(wait, longestRetryAfter);
}

function askedIn(status: Status | undefined): number | undefined {
  const seconds = status?.details?.retryAfterSeconds;
  return seconds === undefined ? undefined : retryAfterOf(String(seconds));
}

function plainMessage(status: number, body: string): string {
  const text = body.trim().replaceAll(/\s+/g, ' ');
  if (status === 404) return 'the server does not serve this type (404 page not found)';
  if (status >= 300 && status < 400) return `HTTP status ${status}: a redirect, which is not followed`;
  return text === '' ? `HTTP status ${status}` : `HTTP status ${status}: ${text.slice(0, 300)}`;
}

/**
 * Message of the API server for an unknown path in one of its own API groups. Source: apimachinery `errors.NewGenericServerResponse`.
 */
const unservedPath = 'the server could not find the requested resource';

function codeOf(status: number, reply: Status | undefined): ErrorCode {
  const { reason = '', message } = reply ?? {};
  if (reason === 'AlreadyExists') return 'kube/already-exists';
  if (reason === 'Expired' || reason === 'Gone') return 'kube/expired';
  switch (status) {
    case 401:
      return 'kube/unauthorized';
    case 403:
      return 'kube/forbidden';
    case 404:
      return reply !== undefined && message !== unservedPath ? 'kube/not-found' : 'kube/type-not-served';
    case 409:
      return 'kube/conflict';
    case 410:
      return 'kube/expired';
    case 422:
      return 'kube/invalid';
    case 429:
      return 'kube/too-many-requests';
    default:
      return 'kube/api-error';
  }
}

function fixFor(
  code: ErrorCode,
  status: number,
  reply: Status | undefined,
  target: CallTarget,
): readonly string[] {
  const fix = reply === undefined ? [] : fixForRefusal(status, reply, target);
  if (fix.length > 0) return fix;
  // The suggested fixes must also suit operators, which have no kubeconfig.
  if (code === 'kube/unauthorized')
    return [
      'renew the credentials: `kubectl auth whoami` shows whether the server accepts those of the context',
    ];
  if (code === 'kube/type-not-served')
    return target.subresource !== undefined
      ? [`check whether the kind has the subresource ${target.subresource}`]
      : ['install the CustomResourceDefinition, or check group, version and plural'];
  return [];
}

/**
 * Returns true if the object or its namespace does not exist. Returns false if the server does not serve the object's type; for that case
 * see {@link isTypeNotServed}.
 */
export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'kube/not-found';
}

/** Returns true if the server does not serve the object's type, because its CRD is not installed or the version is not served. */
export function isTypeNotServed(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'kube/type-not-served';
}

/** Returns true if the object changed since it was read, another field manager owns a field, or a precondition failed. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'kube/conflict';
}

/** Returns true if an object of that name already exists. */
export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'kube/already-exists';
}

/** Returns true if RBAC, admission or a quota forbids the request: HTTP 403. */
export function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 403;
}

/** Returns true if the credentials are missing or invalid: HTTP 401. */
export function isUnauthorized(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401;
}

/** Returns true if the object violates its schema or a rule of the API server: HTTP 422. `details.causes` has one entry per field. */
export function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422;
}

/** Returns true if the resource version or continue token is too old: HTTP 410, or an ERROR event with that code. */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'kube/expired';
}

/** Returns true if the server throttles the client: HTTP 429. */
export function isTooManyRequests(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429;
}

/** Returns true if the server has not yet seen the requested resource version. Source: apimachinery `CauseTypeResourceVersionTooLarge`. */
export function isTooLargeResourceVersion(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.reason !== 'Timeout') return false;
  return (error.details?.causes ?? []).some((cause) => cause.reason === 'ResourceVersionTooLarge');
}

/**
 * Returns fixes for a refused request, derived from the text of the API server's answer. The HTTP status does not show which check refused
 * the request, because not only RBAC but every check of the server answers with 403. Sources: apiserver
 * `responsewriters.ForbiddenErrorMessage` (authorization), `plugin/pkg/admission` of kube-apiserver, and apiserver `pkg/admission/plugin`.
 */
function fixForRefusal(status: number, reply: Status, target: CallTarget): readonly string[] {
  const { message = '' } = reply;
  for (const { pattern, fix } of refusals) {
    const found = pattern.exec(message);
    if (found !== null) return [fix(found, target)];
  }
  if (status !== 403) return [];
  const terminating = reply.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating');
  if (terminating === true)
    return [
      `wait until the namespace ${target.namespace ?? ''} is deleted and create it again, or use another namespace`,
    ];
  return ['read the message: a check of the API server refused the request, more RBAC rules do not help'];
}

/** Message of a refusal that names the missing right: its verb, resource and API group. */
export const namedRight = /\bUser "(?:[^"\\]|\\.)*" cannot (\S+) resource "([^"]+)" in API group "([^"]*)"/;

/**
 * Message of a refused connection to a Pod, by a WebSocket, that needs `create` beside `get`: since 1.35, and without a reason. Source:
 * kube-apiserver `pkg/registry/core/pod/rest/subresources.go`.
 */
export const unnamedRight = /^pods "[^"]*" is forbidden: ?$/;

interface Refusal {
  readonly pattern: RegExp;
  readonly fix: (found: RegExpExecArray, target: CallTarget) => string;
}

/**
 * Known refusals and their fixes. The first matching entry is used. The refusal by a webhook is the first entry, because the message of a
 * webhook may quote the message of any other refusal.
 */
const refusals: readonly Refusal[] = [
  {
    pattern: /^admission webhook "([^"]*)" denied the request/,
    fix: ([, name]) =>
      `change the object so that the admission webhook ${name} accepts it, or change the webhook`,
  },
  {
    pattern: /ValidatingAdmissionPolicy '([^']*)' with binding '[^']*' denied request/,
    fix: ([, name]) =>
      `change the object so that the ValidatingAdmissionPolicy ${name} accepts it, or change the policy`,
  },
  {
    pattern: /violates PodSecurity "([^":]*)/,
    fix: ([, level]) =>
      `set the securityContext as the message says, or give the namespace the label pod-security.kubernetes.io/enforce with a level below ${level}`,
  },
  {
    pattern: /is forbidden: exceeded quota: ([^,\s]+)/,
    fix: ([, quota]) => `raise the ResourceQuota ${quota}, or delete objects that count against it`,
  },
  {
    pattern: /is forbidden: failed quota: ([^,\s:]+): must specify/,
    fix: ([, quota]) =>
      `set the resources of each container that the ResourceQuota ${quota} counts, or create a LimitRange with defaults`,
  },
  {
    pattern: /is attempting to grant RBAC permissions not currently held/,
    fix: () =>
      'give the identity every permission that the role grants, or the verb escalate (roles) or bind (bindings) on it',
  },
  {
    pattern:
      /cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers/,
    fix: () =>
      "give the identity the verb update on the owner's subresource finalizers, such as resources: ['<plural>/finalizers']",
  },
  {
    pattern: namedRight,
    fix: ([, verb, resource, group]) =>
      `give the identity the rule { apiGroups: ['${group}'], resources: ['${resource}'], verbs: ['${verb}'] }`,
  },
  {
    pattern: /\bUser "(?:[^"\\]|\\.)*" cannot (\S+) path "([^"]+)"/,
    fix: ([, verb, path]) =>
      `give the identity the rule { nonResourceURLs: ['${path}'], verbs: ['${verb}'] }`,
  },
  {
    pattern: unnamedRight,
    fix: (_, { subresource = '*' }) =>
      `give the identity the rule { apiGroups: [''], resources: ['pods/${subresource}'], verbs: ['create'] }`,
  },
];
