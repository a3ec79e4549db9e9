import type { CustomResource, Int32, ListMap, ListSet } from 'opsdk';

/** @minimum 1 */
type Port = Int32;

interface Base {
  /**
   * The port.
   * @maximum 100
   */
  port?: Port;
  /** @minLength 1 */
  name: string;
  list?: ListMap<{ key: string }, 'key'>;
  set?: ListSet<string>;
  nothing?: string | null;
}

type Renamed<T> = { [K in keyof T as `the-${string & K}`]: T[K] };
type Unwrapped<T> = T extends (infer U)[] ? U : T;

export interface Sample extends CustomResource {
  spec: {
    partial: Partial<Base>;
    pick: Pick<Base, 'port' | 'list'>;
    omit: Omit<Base, 'nothing'>;
    required: Required<Base>;
    readonly: Readonly<Base>;
    nonNullable: NonNullable<Base['nothing']>;
    nonNullableAlias: NonNullable<string | null>;
    exclude: Exclude<'a' | 'b' | 'c', 'b'>;
    extract: Extract<'a' | 'b' | 'c', 'b' | 'c'>;
    unwrapped: Unwrapped<string[]>;
    port: Base['port'];
  };
}
