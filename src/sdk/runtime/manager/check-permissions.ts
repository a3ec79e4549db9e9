import type { RbacRule } from '../../api/index.ts';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { ownAccess, type AccessAttributes, type Connection } from '../../kube/index.ts';
import { inParallel } from '../../../base/util/in-parallel.ts';
import type { Cache } from '../cache/index.ts';
import type { Logger } from '../create-logger.ts';

/** Time limit for all permission reviews together, in milliseconds, because an unresponsive API server must not delay the start. */
const TIMEOUT_MS = 10_000;

/** Verbs without which the cache of a kind can never be complete. */
const essentialVerbs: ReadonlySet<string> = new Set(['list', 'watch']);

interface PermissionCheck {
  readonly connection: Pick<Connection, 'request'>;
  readonly permissions: readonly RbacRule[];
  /** Cache with the watched namespaces and kinds, whose permissions are checked. */
  readonly cache: Pick<Cache, 'namespaces' | 'informers'>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

interface Place {
  readonly namespace?: string;
}

/** One permission of a rule: one verb on one resource or URL path. */
type Permission = AccessAttributes;

/**
 * Checks every permission that the operator declares, by requests to the API server. Logs a warning for each missing permission. Loaded on
 * demand, because it runs once, and only if permissions are declared.
 *
 * @throws OpSdkError `runtime/missing-permission` with every missing list and watch permission, because the caches that need it would never
 * be complete
 */
export async function checkPermissions(check: PermissionCheck): Promise<void> {
  const { connection, log, signal } = check;
  const asked = permissionsOf(check.permissions, check.cache);
  const failures: unknown[] = [];
  const either = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const answers = await inParallel(asked, async (permission) => {
    try {
      return await ownAccess(connection, permission, { signal: either });
    } catch (error) {
      failures.push(error);
      return undefined;
    }
  });
  signal.throwIfAborted();
  if (failures.length > 0) log.warn({ error: failures[0] }, 'Cannot check permissions');
  const missing = asked.filter((_, index) => answers[index] === false);
  for (const permission of missing)
    if (!isEssential(permission)) log.warn(permission, `Missing permission: ${fixFor([permission])}`);
  const findings = together(missing.filter(isEssential)).map(findingOf);
  if (findings.length > 0) throw new OpSdkError(findings);
}

/** Splits the rules into permissions, one for each group, resource, name, namespace and verb. */
function permissionsOf(
  rules: readonly RbacRule[],
  { namespaces, informers }: PermissionCheck['cache'],
): readonly Permission[] {
  const everywhere: readonly Place[] =
    namespaces === undefined ? [{}] : namespaces.map((namespace) => ({ namespace }));
  /**
   * Returns the namespaces in which a permission is needed: a kind may be watched in other namespaces than the remaining kinds, and a
   * cluster-scoped kind has no namespace.
   */
  const placesOf = (group: string, resource: string, verb: string): readonly Place[] => {
    const watched = informers.filter(
      (each) => each.resource.group === group && each.resource.plural === resource,
    );
    const [first] = watched;
    if (first === undefined) return everywhere;
    if (!first.resource.namespaced) return [{}];
    if (!essentialVerbs.has(verb)) return everywhere;
    return watched.map(({ namespace }) => (namespace === undefined ? {} : { namespace }));
  };
  return rules.flatMap(({ verbs, groups = [], resources = [], ...rule }) => {
    const { resourceNames, nonResourceURLs = [], namespace } = rule;
    const names = resourceNames === undefined ? [{}] : resourceNames.map((name) => ({ name }));
    return verbs.flatMap((verb): readonly Permission[] => [
      ...nonResourceURLs.map((path) => ({ path, verb })),
      ...groups.flatMap((group) =>
        resources.flatMap((written) => {
          const [resource = '', subresource] = written.split('/');
          const type = subresource === undefined ? { group, resource } : { group, resource, subresource };
          const places = namespace === undefined ? placesOf(group, resource, verb) : [{ namespace }];
          return places.flatMap((place) => names.map((name) => ({ ...type, verb, ...place, ...name })));
        }),
      ),
    ]);
  });
}

function isEssential(permission: Permission): boolean {
  return 'resource' in permission && essentialVerbs.has(permission.verb);
}

/** Groups permissions that differ only in their verb. */
function together(permissions: readonly Permission[]): readonly (readonly Permission[])[] {
  const byPlace = new Map<string, Permission[]>();
  for (const permission of permissions) {
    const place = JSON.stringify({ ...permission, verb: '' });
    byPlace.set(place, [...(byPlace.get(place) ?? []), permission]);
  }
  return [...byPlace.values()];
}

function findingOf(permissions: readonly Permission[]): Finding {
  const [permission] = permissions;
  const verbs = permissions.map(({ verb }) => verb).join(' and ');
  return {
    code: 'runtime/missing-permission',
    message: `the operator may not ${verbs} ${permission === undefined ? '' : describe(permission)}`,
    fix: [
      fixFor(permissions),
      'the rules that it needs are in config/rbac/role.yaml: run `op-sdk generate manifests` and `op-sdk deploy`',
    ],
  };
}

function describe(permission: Permission): string {
  if ('path' in permission) return permission.path;
  const { group, namespace, name } = permission;
  const type = group === '' ? resourceOf(permission) : `${resourceOf(permission)}.${group}`;
  const place = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
  return `${type}${name === undefined ? '' : ` ${name}`} ${place}`;
}

function fixFor(permissions: readonly Permission[]): string {
  const [permission] = permissions;
  const verbs = `verbs: [${permissions.map(({ verb }) => `'${verb}'`).join(', ')}]`;
  if (permission === undefined || 'path' in permission)
    return `give the operator the rule { nonResourceURLs: ['${permission?.path ?? ''}'], ${verbs} }`;
  const { group, name } = permission;
  const names = name === undefined ? '' : `resourceNames: ['${name}'], `;
  return `give the operator the rule { apiGroups: ['${group}'], resources: ['${resourceOf(permission)}'], ${names}${verbs} }`;
}

function resourceOf({ resource, subresource }: Extract<Permission, { resource: string }>): string {
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}
