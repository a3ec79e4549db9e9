import type { CustomResource, KubeObject } from './meta.ts';

/**
 * The part of a zod, valibot or arktype schema that op-sdk uses. The types of the Standard JSON Schema interface are declared here, so that
 * op-sdk does not depend on a package for them. Source: https://standardschema.dev/json-schema `StandardJSONSchemaV1`.
 */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  /** The only property of the interface. */
  readonly '~standard': {
    /** The version of the interface. */
    readonly version: 1;
    /** Name of the schema library, such as `zod`. */
    readonly vendor: string;
    /** Types of the accepted and the returned values, for the type checker only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Functions that create JSON Schema. They are called when manifests are generated, never in an operator. */
    readonly jsonSchema: {
      /** Returns the JSON Schema of the values that the schema accepts. */
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/** Object of a kind whose fields a schema describes, as read from the API server, with defaults filled in. */
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

/** Removes the readonly modifiers of {@link DeepReadonly}, for the type of a copy. */
export type Mutable<T> = T extends (infer U)[]
  ? Mutable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/**
 * An object that the API server has stored, frozen and deeply readonly. Reconcile functions, predicates and `map` get such objects, and the
 * cache returns them.
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
 * A modifiable copy of a stored object, which belongs to the caller. Reads from and writes to the API server return such copies. They can
 * be passed to functions that take `T` and to functions that take `Stored<T>`.
 */
export type StoredCopy<T extends KubeObject> = T & Stored<T>;

/**
 * JSON paths into an object type, such as `.spec.replicas` for a printer column. Bracket paths
 * (`.status.conditions[?(@.type=="Ready")].status`) are typed loosely; the generator checks them against the schema.
 */
export type JsonPath<T> = SimplePath<NonNullable<T>> | `.${string}[${string}`;

/** Paths of plain fields whose value is a `V`, without lists or brackets. Every path below a field of unknown type is accepted. */
export type FieldPath<T, V> = SimplePath<NonNullable<T>, V>;

/** Paths of fields whose type is string, number or boolean. Unions of these types, such as IntOrString, are excluded. */
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

/** The path of the field itself, if its type fits `V`. */
type Here<K extends string, T, V> = unknown extends V
  ? `.${K}`
  : unknown extends T
    ? `.${K}` | `.${K}.${string}`
    : [NonNullable<T>] extends [V]
      ? `.${K}`
      : never;
