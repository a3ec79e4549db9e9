/** JSON paths into an object type, for printer columns and the like: `.spec.replicas`. Bracket paths (`.status.conditions[?(@.type=="Ready")].status`) are typed loosely; the generator checks them against the schema. */
export type JsonPath<T> = SimplePath<NonNullable<T>> | `.${string}[${string}`;

// Six levels are enough for real columns and keep the checker fast on types such as PodTemplateSpec.
type Levels = [never, 0, 1, 2, 3, 4, 5];

type SimplePath<T, D extends number = 6> = [D] extends [never]
  ? never
  : T extends readonly unknown[]
    ? never
    : T extends object
      ? {
          [K in Extract<keyof T, string>]: `.${K}` | `.${K}${SimplePath<NonNullable<T[K]>, Levels[D]>}`;
        }[Extract<keyof T, string>]
      : never;
