import type { CustomResource, KubeObject } from './meta.ts';

/**
 * The part that op-sdk needs of a schema of a library such as zod, valibot or arktype: the Standard JSON Schema interface, by its types alone.
 * Source: https://standardschema.dev/json-schema `StandardJSONSchemaV1`.
 */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  /** The interface's one property. */
  readonly '~standard': {
    /** The version of the interface. */
    readonly version: 1;
    /** The library, such as `zod`. */
    readonly vendor: string;
    /** Only for the type checker. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Makes JSON Schema; read when manifests are generated, never in an operator. */
    readonly jsonSchema: {
      /** JSON Schema of the values that the schema takes. */
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/** The objects of a kind whose fields a schema describes, as they are read from the API server: the server has filled in the defaults. */
export type SchemaObject<
  ApiVersion extends string,
  Kind extends string,
  S extends StandardJsonSchema,
> = CustomResource<ApiVersion, Kind> & NonNullable<S['~standard']['types']>['output'];

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

/** JSON paths into an object type, for printer columns and the like: `.spec.replicas`. Bracket paths (`.status.conditions[?(@.type=="Ready")].status`) are typed loosely; the generator checks them against the schema. */
export type JsonPath<T> = SimplePath<NonNullable<T>> | `.${string}[${string}`;

/** Paths of plain fields that hold a `V`: no lists, no brackets. Below a field of unknown type every path is one. */
export type FieldPath<T, V> = SimplePath<NonNullable<T>, V>;

/** Paths of fields with one text, number or boolean. Unions of these, such as IntOrString, are none. */
export type ScalarPath<T> = FieldPath<T, string> | FieldPath<T, number> | FieldPath<T, boolean>;

// Six levels are enough for real columns and keep the checker fast on types such as PodTemplateSpec.
type Levels = [never, 0, 1, 2, 3, 4, 5];

type SimplePath<T, V = unknown, D extends number = 6> = [D] extends [never]
  ? never
  : T extends readonly unknown[]
    ? never
    : T extends object
      ? {
          [K in Extract<keyof T, string>]:
            Here<K, T[K], V> | `.${K}${SimplePath<NonNullable<T[K]>, V, Levels[D]>}`;
        }[Extract<keyof T, string>]
      : never;

/** The path of the field itself. */
type Here<K extends string, T, V> = unknown extends V
  ? `.${K}`
  : unknown extends T
    ? `.${K}` | `.${K}.${string}`
    : [NonNullable<T>] extends [V]
      ? `.${K}`
      : never;
