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
  /** Only for the type checker: the object type that the token stands for. */
  readonly [objectType]?: T;
}

/** The object type of a token: `ObjectOf<typeof Deployment>` is `Deployment`. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;
