import type { KubeObject } from './meta.ts';

declare const objectType: unique symbol;

/**
 * The run-time token of a kind in one version. Pass it to client, cache and controllers to select the objects' type. Built-in kinds are
 * exported by `opsdk/k8s/<group>/<version>`, custom ones are made by `defineResource`.
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** `''` for the core group. */
  readonly group: string;
  /** Such as `v1`. */
  readonly version: string;
  /** In CamelCase: `Deployment`. */
  readonly kind: string;
  /** Lower case, as in URLs: `deployments`. */
  readonly plural: string;
  /** True if objects are in namespaces. */
  readonly namespaced: boolean;
  /** `group/version`, or only `version` for the core group. */
  readonly apiVersion: string;
  /** True for a token that covers only a kind's metadata; see `metadataOnly`. */
  readonly metadataOnly?: true;
  /** Only for the type checker: the object type of the token. Does not exist at run time. */
  readonly [objectType]: T;
}

/** The object type of a token: `ObjectOf<typeof Deployment>` is `Deployment`. For a union of tokens, the union of their object types. */
export type ObjectOf<R extends Resource> = R[typeof objectType];

/** The group in an `apiVersion`: `''` for the core group; `string` if the `apiVersion` is not a literal. */
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

/** The properties of a kind that another project defines, as its CustomResourceDefinition or `kubectl api-resources` lists them. */
export interface ExternalResource<T extends KubeObject = KubeObject> {
  /** The API group, such as `monitoring.coreos.com`; `''` for the core group. Same as in the interface's `apiVersion`. */
  readonly group: GroupOf<T>;
  /** The version to use, such as `v1`; the API server must serve it. Same as in the interface's `apiVersion`. */
  readonly version: VersionOf<T>;
  /** The kind in CamelCase, such as `ServiceMonitor`. Same as in the interface. */
  readonly kind: T['kind'];
  /** The name in URLs and RBAC rules, in lower case: `servicemonitors`. */
  readonly plural: string;
  /** Scope of the objects. */
  readonly scope: 'Namespaced' | 'Cluster';
}

/**
 * Creates the token of a kind that neither this project nor Kubernetes defines, for client and controllers. Write literals: `op-sdk
 * generate manifests` reads them from the source for the role. Nothing is checked against a cluster here; if a property is wrong, the first
 * request fails with an ApiError with the code `kube/type-not-served`. `op-sdk import crd --client-only` writes the interface and the token
 * from a CRD.
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

/**
 * An object whose metadata alone was read; `apiVersion` and `kind` are those of the object's kind. Source: apimachinery
 * `metav1.PartialObjectMetadata`.
 */
export type PartialObjectMetadata<T extends KubeObject = KubeObject> = Pick<
  T,
  'apiVersion' | 'kind' | 'metadata'
>;

/**
 * Returns a token that covers only the metadata of a kind: reads and watches with it transfer and hold no other fields. For kinds with much
 * data if names, labels or annotations suffice. Objects cannot be created, updated or applied with it.
 *
 * @example
 * const names = (await client.live.list(metadataOnly(Secret), { namespace })).items.map(({ metadata }) => metadata.name);
 */
export function metadataOnly<T extends KubeObject>(
  resource: Resource<T>,
): Resource<PartialObjectMetadata<T>> {
  return Object.freeze({ ...resource, metadataOnly: true });
}
