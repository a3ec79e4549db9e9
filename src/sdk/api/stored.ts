import type { KubeObject } from './meta.ts';

/**
 * Readonly all the way down, for objects that are shared and frozen. Properties are readonly; lists stay `T[]`, so that an object can be given
 * to functions that take `T` (writing to a frozen list throws at run time).
 */
export type DeepReadonly<T> = T extends (infer U)[]
  ? DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Without the readonly marks of {@link DeepReadonly}: the type of a copy. */
export type Mutable<T> = T extends (infer U)[]
  ? Mutable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** An object as reconcile, predicates and `map` get it, and as the cache gives it: stored by the API server, frozen, readonly all the way down. */
export type Stored<T extends KubeObject> = DeepReadonly<T> & {
  readonly metadata: {
    /** Always there on a stored object. */
    readonly name: string;
    /** Always there on a stored object. */
    readonly uid: string;
    /** Always there on a stored object. */
    readonly resourceVersion: string;
  };
};

/**
 * A copy of a stored object, which belongs to the caller, who may change it: as writes and reads of the API server give it. Can be given to
 * functions that take `T` and to functions that take `Stored<T>`.
 */
export type StoredCopy<T extends KubeObject> = T & Stored<T>;
