import type { KubeObject } from './meta.ts';

declare const objectType: unique symbol;

/**
 * The run-time token of a kind in one version: what client, cache and controllers are given to say which objects they mean.
 * Built-in kinds come from `opsdk/k8s/<group>/<version>`, your own from `defineResource`.
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
  /** `group/version`, or `version` alone for the core group. */
  readonly apiVersion: string;
  /** True for the token of a kind's metadata alone; see `metadataOnly`. */
  readonly metadataOnly?: true;
  /** Only for the type checker: the object type that the token stands for. At run time a token has no such property. */
  readonly [objectType]: T;
}

/** The object type of a token: `ObjectOf<typeof Deployment>` is `Deployment`; of a union of tokens, the union of their types. */
export type ObjectOf<R extends Resource> = R[typeof objectType];

/** The group in an `apiVersion`: `''` for the core group; any text where the `apiVersion` is not a literal. */
export type GroupOf<T extends KubeObject> = string extends T['apiVersion']
  ? string
  : T['apiVersion'] extends `${infer G}/${string}`
    ? G
    : '';

/** The version in an `apiVersion`; any text where the `apiVersion` is not a literal. */
export type VersionOf<T extends KubeObject> = string extends T['apiVersion']
  ? string
  : T['apiVersion'] extends `${string}/${infer V}`
    ? V
    : T['apiVersion'];
