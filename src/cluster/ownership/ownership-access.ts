import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import { ownAccess, type ApiError, type KubeClient } from '../../sdk/kube/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';

/** Verbs that the migration needs on each kind. */
const verbs = ['get', 'list', 'patch'] as const;

/**
 * Checks before the first write that the user has all permissions for the migration.
 * @returns a finding `cluster/forbidden` for each kind with a missing verb
 * @throws ApiError, TransportError
 */
export async function checkOwnershipAccess(
  connection: KubeClient['connection'],
  {
    targets,
    namespace,
    signal,
  }: {
    readonly targets: readonly { readonly resource: Resource<KubeObject> }[];
    readonly namespace?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly Finding[]> {
  const checked = await inParallel(targets, async ({ resource }): Promise<readonly Finding[]> => {
    const { group, plural, namespaced } = resource;
    const place = namespaced && namespace !== undefined ? { namespace } : {};
    const allowed = await Promise.all(
      verbs.map((verb) => ownAccess(connection, { group, resource: plural, verb, ...place }, { signal })),
    );
    const missing = verbs.filter((_, index) => allowed[index] !== true);
    if (missing.length === 0) return [];
    return [forbidden(resource, namespace, `${missing.join(', ')} is not permitted`)];
  });
  return checked.flat();
}

/**
 * Returns the finding for requests that are not permitted, with the rule that permits them.
 * @param namespace namespace of the objects; undefined for all
 */
export function forbidden(
  resource: Resource<KubeObject>,
  namespace: string | undefined,
  why: ApiError | string,
): Finding {
  const { group, plural, namespaced } = resource;
  const isWide = !namespaced || namespace === undefined;
  const rule = `{ apiGroups: ["${group}"], resources: ["${plural}"], verbs: ["${verbs.join('", "')}"] }`;
  const title = kindText(resource);
  return {
    code: 'cluster/forbidden',
    message: `${title}: ${typeof why === 'string' ? why : why.findings[0].message}`,
    where: { object: title },
    fix: [
      `grant your user this rule by a ${isWide ? 'ClusterRole' : `Role of the namespace ${namespace}`}: ${rule}`,
      'or use a kubeconfig context whose user may do this',
    ],
  };
}

/** Formats a kind as RBAC and kubectl name it: `deployments.apps`. */
export function kindText({ plural, group }: Pick<Resource, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}
