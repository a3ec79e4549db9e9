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
