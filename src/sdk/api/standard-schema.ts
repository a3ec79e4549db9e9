import type { CustomResource, KubeObject } from './meta.ts';

/**
 * The part of a zod, valibot or arktype schema that op-sdk uses: the types of the Standard JSON Schema interface, declared here without a
 * dependency. Source: https://standardschema.dev/json-schema `StandardJSONSchemaV1`.
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
    /** Creates JSON Schema; called when manifests are generated, never in an operator. */
    readonly jsonSchema: {
      /** Returns JSON Schema of the values that the schema accepts. */
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/** The objects of a kind whose fields a schema describes, as read from the API server, with defaults filled in. */
export type SchemaObject<
  ApiVersion extends string,
  Kind extends string,
  S extends StandardJsonSchema,
> = CustomResource<ApiVersion, Kind> & NonNullable<S['~standard']['types']>['output'];

/**
 * Deeply readonly, for objects that are shared and frozen. Properties are readonly; lists stay `T[]`, so that an object can be passed to
 * functions that take `T` (writing to a frozen list throws at run time).
 */
export type DeepReadonly<T> = T extends (infer U)[]
  ? DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Removes the readonly modifiers of {@link DeepReadonly}: the type of a copy. */
export type Mutable<T> = T extends (infer U)[]
  ? Mutable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/**
 * An object that the API server has stored, frozen and deeply readonly. Passed to reconcile, predicates and `map`, and returned by the
 * cache.
 */
export type Stored<T extends KubeObject> = DeepReadonly<T> & {
  readonly metadata: {
    /** Always set on a stored object. */
    readonly name: string;
    /** Always set on a stored object. */
    readonly uid: string;
    /** Always set on a stored object. */
    readonly resourceVersion: string;
  };
};

/**
 * A modifiable copy of a stored object that belongs to the caller, as returned by reads from and writes to the API server. Can be passed to
 * functions that take `T` and to functions that take `Stored<T>`.
 */
export type StoredCopy<T extends KubeObject> = T & Stored<T>;

/**
 * JSON paths into an object type, such as for printer columns: `.spec.replicas`. Bracket paths
 * (`.status.conditions[?(@.type=="Ready")].status`) are typed loosely; the generator checks them against the schema.
 */
export type JsonPath<T> = SimplePath<NonNullable<T>> | `.${string}[${string}`;

/** Paths of plain fields that hold a `V`, without lists or brackets. Below a field of unknown type every path is accepted. */
export type FieldPath<T, V> = SimplePath<NonNullable<T>, V>;

/** Paths of fields with one string, number or boolean. Excludes unions of these, such as IntOrString. */
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
