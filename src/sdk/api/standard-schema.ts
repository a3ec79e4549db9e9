import type { CustomResource, KubeObject } from './meta.ts';

/**
 * The part of a zod, valibot or arktype schema that op-sdk uses. The types of the Standard JSON Schema interface are declared here, so that
 * op-sdk does not depend on a package for them. Source: https://standardschema.dev/json-schema `StandardJSONSchemaV1`.
 */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  /** The only property of the Standard JSON Schema interface. */
  readonly '~standard': {
    /** Version of the Standard JSON Schema interface. */
    readonly version: 1;
    /** Name of the schema library, such as `zod`. */
    readonly vendor: string;
    /** Types of the values that the schema accepts (`input`) and returns (`output`), for the type checker only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Functions that create JSON Schema. They are called when manifests are generated, never in an operator. */
    readonly jsonSchema: {
      /** Returns the JSON Schema of the values that the schema accepts. */
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/**
 * Object of a kind whose fields are described by the schema of a library such as zod. The type describes the object as the API server
 * returns it, with the schema's defaults filled in.
 */
export type SchemaObject<
  ApiVersion extends string,
  Kind extends string,
  S extends StandardJsonSchema,
> = CustomResource<ApiVersion, Kind> & NonNullable<S['~standard']['types']>['output'];

/**
 * Deeply readonly type, for objects that are shared and frozen. Properties are readonly. Lists stay `T[]`, so that an object can be passed
 * to functions that take `T`; writing to a frozen list throws at run time.
 */
export type DeepReadonly<T> = T extends (infer U)[]
  ? DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Removes the readonly modifiers of {@link DeepReadonly}. The result is the type of a modifiable copy. */
export type Mutable<T> = T extends (infer U)[]
  ? Mutable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/**
 * An object that the API server has stored, frozen and deeply readonly. Reconcile functions, predicates and `map` functions receive stored
 * objects, and the cache returns them.
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
 * Modifiable copy of a stored object. The copy belongs to the caller. Reads from and writes to the API server return such copies. A copy
 * can be passed to functions that take `T` and to functions that take `Stored<T>`.
 */
export type StoredCopy<T extends KubeObject> = T & Stored<T>;

/**
 * JSON paths into an object type, such as `.spec.replicas` for a printer column. Bracket paths
 * (`.status.conditions[?(@.type=="Ready")].status`) are typed loosely; the generator checks them against the schema.
 */
export type JsonPath<T> = SimplePath<NonNullable<T>> | `.${string}[${string}`;

/**
 * Paths of fields whose value has the type `V`. The paths contain no lists and no brackets. Every path below a field of unknown type is
 * accepted.
 */
export type FieldPath<T, V> = SimplePath<NonNullable<T>, V>;

/** Paths of fields whose type is string, number or boolean. Unions of these types, such as IntOrString, are excluded. */
export type ScalarPath<T> = FieldPath<T, string> | FieldPath<T, number> | FieldPath<T, boolean>;

// Paths of at most six levels are enough for real printer columns, and the limit keeps the type checker fast on types such as
// PodTemplateSpec.
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

/** Path of the field `K` itself, if the field's type is assignable to `V`; otherwise `never`. */
type Here<K extends string, T, V> = unknown extends V
  ? `.${K}`
  : unknown extends T
    ? `.${K}` | `.${K}.${string}`
    : [NonNullable<T>] extends [V]
      ? `.${K}`
      : never;
