import {
  covers,
  isOpenEnded,
  simplify,
  type Grant,
  type Permission,
} from '../../compiler/manifests/index.ts';
import { compareCodeUnits } from '../../base/util/json-map.ts';
import { namedRight, unnamedRight } from '../../sdk/kube/index.ts';
import type { AuditEvent } from '../../testing/index.ts';

/** A permission that the operator requested and the API server denied. */
export interface Forbidden {
  readonly permission: Permission;
  /** Namespaces of the denied requests, sorted; empty if the requests had no namespace. */
  readonly namespaces: readonly string[];
  /** Number of denied requests. */
  readonly requests: number;
}

/** A granted permission that contains a `*`, and the permissions of it that were used. */
interface OpenEnded {
  readonly permission: Permission;
  readonly used: readonly Permission[];
}

/** Result of comparing granted permissions with an audit log. All lists are sorted. */
export interface AuditReport {
  /** Number of requests of the operator. */
  readonly requests: number;
  readonly forbidden: readonly Forbidden[];
  /** Permissions that are granted, but were neither used nor are implied by used permissions. */
  readonly unused: readonly Permission[];
  readonly openEnded: readonly OpenEnded[];
}

/** A request of the operator, and the API server's decision about it. */
interface AuditedRequest {
  readonly asked: Permission;
  readonly namespace: string | undefined;
  /** The denied permission; undefined if the request was allowed. */
  readonly denied: Permission | undefined;
  readonly isApply: boolean;
}

/**
 * Compares the permissions that an operator has requested with the permissions that it is granted.
 *
 * @param events an audit log; events of other users are skipped
 * @param user name of the operator's user, such as `system:serviceaccount:system:controller-manager`
 * @param granted the granted permissions; each one that the requests did not need is reported
 */
export function judgeAudit(
  events: readonly AuditEvent[],
  user: string,
  granted: readonly Permission[],
): AuditReport {
  const requests = requestsOf(events, user);
  const allowed = requests.filter(({ denied }) => denied === undefined);
  const used = simplify(allowed.map(({ asked }) => asked));
  const wanted = simplify(granted);
  const isUsed = (grant: Permission): boolean => used.some((each) => usedBy(grant, each));
  return {
    requests: requests.length,
    forbidden: forbiddenOf(requests),
    unused: wanted.filter((grant) => !isUsed(grant) && !isImplied(grant, allowed)),
    openEnded: wanted.filter(isOpenEnded).flatMap((permission) => {
      const parts = used.filter((each) => usedBy(permission, each));
      return parts.length === 0 ? [] : [{ permission, used: withoutNames(parts) }];
    }),
  };
}

/**
 * Returns one entry for each request of the user. Long-running requests have two events in the log, one at their start and one at their
 * end.
 */
function requestsOf(events: readonly AuditEvent[], user: string): readonly AuditedRequest[] {
  const byId = new Map<string, AuditEvent>();
  for (const event of events)
    if (event.user.username === user && event.stage !== 'RequestReceived') byId.set(event.auditID, event);
  return [...byId.values()].map((event) => {
    const asked = askedFor(event);
    return {
      asked,
      namespace: event.objectRef?.namespace,
      denied: deniedBy(event, asked),
      isApply: /[?&]force=/.test(event.requestURI),
    };
  });
}

function askedFor({ verb, objectRef, requestURI }: AuditEvent): Permission {
  if (objectRef?.resource === undefined) return { type: 'url', url: requestURI.replace(/\?.*$/s, ''), verb };
  const { apiGroup = '', resource, subresource, name } = objectRef;
  return {
    type: 'resource',
    group: apiGroup,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    ...(name === undefined ? {} : { name }),
    verb,
  };
}

/**
 * Returns the denied permission; undefined if the request was allowed. Some requests need a second permission, which the API server checks
 * later. For example, an apply of an object that does not exist also needs `create`. If the second permission is missing, only the message
 * of the refusal names it.
 *
 * Source: apiserver `pkg/endpoints/filters/authorization.go`, for the annotation `authorization.k8s.io/decision`.
 */
function deniedBy(event: AuditEvent, asked: Permission): Permission | undefined {
  if (event.annotations?.['authorization.k8s.io/decision'] === 'forbid') return asked;
  const { code, message = '' } = event.responseStatus ?? {};
  if (code !== 403) return undefined;
  if (asked.type === 'resource' && asked.verb === 'get' && unnamedRight.test(message))
    return { ...asked, verb: 'create' };
  const [, verb, written, group] = namedRight.exec(message) ?? [];
  if (verb === undefined || written === undefined || group === undefined) return undefined;
  return { type: 'resource', group, resource: written, verb };
}

function forbiddenOf(requests: readonly AuditedRequest[]): readonly Forbidden[] {
  const found = new Map<string, { permission: Permission; namespaces: Set<string>; requests: number }>();
  for (const { denied, namespace } of requests) {
    if (denied === undefined) continue;
    const permission = withoutName(denied);
    const key = JSON.stringify(permission);
    const entry = found.get(key) ?? { permission, namespaces: new Set(), requests: 0 };
    found.set(key, entry);
    entry.requests += 1;
    if (namespace !== undefined) entry.namespaces.add(namespace);
  }
  const sorted = simplify([...found.values()].map(({ permission }) => permission));
  return sorted.flatMap((permission) => {
    const entry = found.get(JSON.stringify(permission));
    return entry === undefined
      ? []
      : [{ ...entry, namespaces: [...entry.namespaces].sort(compareCodeUnits) }];
  });
}

/**
 * Returns true if a granted permission was needed for a request. A permission for all objects also counts as used by a request for one
 * object.
 */
function usedBy(grant: Permission, used: Permission): boolean {
  return covers(grant, used);
}

/**
 * Returns true for permissions that the runtime needs, although it may not have used them while the log was written:
 * - `create` together with `patch`, because an apply creates an object that does not exist; Source: kube-apiserver's `PatchResource`,
 *   `forceAllowCreate`
 * - `create` together with `get` of commands, terminals and ports of Pods: a WebSocket begins with a GET, which the log shows as `get`; the
 *   API server, from 1.35 on, then asks for `create` without a trace in the log; Source: kube-apiserver's `ensureAuthorizedForVerb`
 * - `list` together with `watch`: objects are normally listed by the first events of a watch, and by a list request only on servers
 *   that do not support listing by a watch
 * - `get` together with a patch that is not an apply: finalizers are patched under a precondition, and the object is read again if the
 *   precondition fails
 * - `create` and `patch` of Events, because controllers record Events about failures, and combine equal ones to a series
 * - `update` of `finalizers`, because the admission plugin OwnerReferencesPermissionEnforcement checks this permission without a trace in
 *   the log
 */
function isImplied(grant: Permission, requests: readonly AuditedRequest[]): boolean {
  if (grant.type !== 'resource') return false;
  if (grant.verb === 'update' && grant.resource.endsWith('/finalizers')) return true;
  if (grant.resource === 'events' && (grant.verb === 'create' || grant.verb === 'patch')) return true;
  const hasUsed = (verb: string, fits: (request: AuditedRequest) => boolean = () => true): boolean =>
    requests.some((request) => covers({ ...grant, verb }, request.asked) && fits(request));
  switch (grant.verb) {
    case 'create':
      return hasUsed('patch') || (isUpgraded(grant) && hasUsed('get'));
    case 'list':
      return hasUsed('watch');
    case 'get':
      return hasUsed('patch', ({ isApply }) => !isApply);
    default:
      return false;
  }
}

const upgraded: ReadonlySet<string> = new Set(['pods/exec', 'pods/attach', 'pods/portforward']);

/** Returns true for subresources to which a client connects by a WebSocket. */
function isUpgraded({ group, resource }: { readonly group: string; readonly resource: string }): boolean {
  return group === '' && upgraded.has(resource);
}

function withoutName(permission: Permission): Permission {
  if (permission.type === 'url') return permission;
  const { type, group, resource, verb } = permission;
  return { type, group, resource, verb };
}

function withoutNames(permissions: readonly Permission[]): readonly Permission[] {
  return simplify<Grant>(permissions.map(withoutName)) as readonly Permission[];
}
