import type { KubeObject } from './meta.ts';
import type { GroupOf, Resource, VersionOf } from './resource.ts';

/** The parts of a kind that somebody else defines, as its CustomResourceDefinition or `kubectl api-resources` lists them. */
export interface ExternalResource<T extends KubeObject = KubeObject> {
  /** The API group, such as `monitoring.coreos.com`; `''` for the core group. That of the interface's `apiVersion`. */
  readonly group: GroupOf<T>;
  /** The version to use, such as `v1`; the API server must serve it. That of the interface's `apiVersion`. */
  readonly version: VersionOf<T>;
  /** The kind in CamelCase, such as `ServiceMonitor`. That of the interface. */
  readonly kind: T['kind'];
  /** The name in URLs and RBAC rules, in lower case: `servicemonitors`. */
  readonly plural: string;
  /** Scope of the objects. */
  readonly scope: 'Namespaced' | 'Cluster';
}

/**
 * The token of a kind that neither this project nor Kubernetes defines, for client and controllers. Write literals:
 * `op-sdk generate manifests` reads them from the source for the role. Nothing is checked against a cluster here; a wrong
 * part shows at the first request, as an ApiError with the code `kube/type-not-served`. `op-sdk import crd --client-only`
 * writes the interface and the token from a CRD.
 *
 * @example
 * export const ServiceMonitor = externalResource<ServiceMonitor>({
 *   group: 'monitoring.coreos.com',
 *   version: 'v1',
 *   kind: 'ServiceMonitor',
 *   plural: 'servicemonitors',
 *   scope: 'Namespaced',
 * });
 */
export function externalResource<T extends KubeObject>(resource: ExternalResource<T>): Resource<T> {
  const { group, version, kind, plural, scope }: Readonly<Record<keyof ExternalResource, string>> = resource;
  const token = {
    group,
    version,
    kind,
    plural,
    namespaced: scope === 'Namespaced',
    apiVersion: group === '' ? version : `${group}/${version}`,
  };
  // The object type is known to the type checker only.
  return Object.freeze(token) as Resource<T>;
}
