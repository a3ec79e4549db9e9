import type { KubeObject } from './meta.ts';

declare const objectType: unique symbol;

/**
 * Run-time value (token) that represents one version of a kind. Pass the token to client, cache and controllers to select the type of the
 * objects. `opsdk/k8s/<group>/<version>` exports the tokens of built-in kinds; `defineResource` creates the tokens of custom kinds.
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** The API group; `''` for the core group. */
  readonly group: string;
  /** The version, such as `v1`. */
  readonly version: string;
  /** The kind in CamelCase, such as `Deployment`. */
  readonly kind: string;
  /** The plural name in lower case, as in URLs, such as `deployments`. */
  readonly plural: string;
  /** True if the objects are in namespaces; false if they are cluster-scoped. */
  readonly namespaced: boolean;
  /** `group/version`, or only `version` for the core group. */
  readonly apiVersion: string;
  /** True for a token that covers only the metadata of a kind; see `metadataOnly`. */
  readonly metadataOnly?: true;
  /** True for a token of a kind that need not be there; see `ifServed`. */
  readonly ifServed?: true;
  /** The object type of the token, for the type checker only. The property does not exist at run time. */
  readonly [objectType]: T;
}

/**
 * The object type of a token: `ObjectOf<typeof Deployment>` is `Deployment`. For a union of tokens, the result is the union of their object
 * types.
 */
export type ObjectOf<R extends Resource> = R[typeof objectType];

/** The group in an `apiVersion`; `''` for the core group, and `string` if the `apiVersion` is not a literal. */
export type GroupOf<T extends KubeObject> = string extends T['apiVersion']
  ? string
  : T['apiVersion'] extends `${infer G}/${string}`
    ? G
    : '';

/** The version in an `apiVersion`; `string` if the `apiVersion` is not a literal. */
export type VersionOf<T extends KubeObject> = string extends T['apiVersion']
  ? string
  : T['apiVersion'] extends `${string}/${infer V}`
    ? V
    : T['apiVersion'];

/**
 * Properties of a kind that another project defines. The CustomResourceDefinition of the kind and `kubectl api-resources` show these
 * properties.
 */
export interface ExternalResource<T extends KubeObject = KubeObject> {
  /** The API group, such as `monitoring.coreos.com`; `''` for the core group. Must equal the group in the interface's `apiVersion`. */
  readonly group: GroupOf<T>;
  /** The version to use, such as `v1`; the API server must serve it. Must equal the version in the interface's `apiVersion`. */
  readonly version: VersionOf<T>;
  /** The kind in CamelCase, such as `ServiceMonitor`. Must equal the kind in the interface. */
  readonly kind: T['kind'];
  /** The plural name in lower case, as in URLs and RBAC rules, such as `servicemonitors`. */
  readonly plural: string;
  /** `Namespaced` for objects in namespaces, `Cluster` for objects outside of namespaces. */
  readonly scope: 'Namespaced' | 'Cluster';
}

/**
 * Creates the token of a kind that neither this project nor Kubernetes defines. Pass the token to client and controllers. Write the
 * properties as literals, because `op-sdk generate manifests` reads them from the source to generate the operator's RBAC role. The
 * properties are not checked against a cluster; if one is wrong, the first request fails with an ApiError with the code
 * `kube/type-not-served`. `op-sdk import crd --client-only` writes the interface and the token from a CRD.
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
  // The cast is required, because the object type exists only for the type checker, not at run time.
  return Object.freeze(token) as Resource<T>;
}

/**
 * An object of which only the metadata was read. `apiVersion` and `kind` name the object's own kind, not `PartialObjectMetadata`. Source:
 * apimachinery `metav1.PartialObjectMetadata`.
 */
export type PartialObjectMetadata<T extends KubeObject = KubeObject> = Pick<
  T,
  'apiVersion' | 'kind' | 'metadata'
>;

/**
 * Returns a token that covers only the metadata of a kind. Reads and watches with this token transfer and hold no other fields. Use the
 * token for kinds with much data if names, labels or annotations suffice. The token cannot be used to create, update or apply objects.
 * @example
 * const names = (await client.live.list(metadataOnly(Secret), { namespace })).items.map(({ metadata }) => metadata.name);
 */
export function metadataOnly<T extends KubeObject>(
  resource: Resource<T>,
): Resource<PartialObjectMetadata<T>> {
  return Object.freeze({ ...resource, metadataOnly: true });
}

/**
 * Returns a token of an optional kind, for `owns` and `watches` of a controller. The CustomResourceDefinition of such a kind may be
 * installed later, or never. While the API server does not serve the kind, its list in the cache is empty, and the manager does not wait
 * for it. The objects of the controller are reconciled when the kind becomes served, and when it is no longer served; `client.isServed(K)`
 * returns the current state. The manager checks for the kind at growing intervals of up to a minute. If any controller declares the kind
 * without `ifServed`, it is required.
 *
 * @example
 * owns: [Deployment, ifServed(ServiceMonitor)],
 */
export function ifServed<T extends KubeObject>(resource: Resource<T>): Resource<T> {
  return Object.freeze({ ...resource, ifServed: true });
}
