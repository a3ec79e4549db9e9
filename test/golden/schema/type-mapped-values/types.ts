import type { AtomicList, CustomResource, Int32, IntOrString, ListMap, ListSet, Quantity } from 'opsdk';

type Same<T> = { [K in keyof T]: T[K] };
type DeepReadonly<T> = { readonly [K in keyof T]: DeepReadonly<T[K]> };
type DeepPartial<T> = { [K in keyof T]?: DeepPartial<T[K]> };
type Texts<T> = { [K in keyof T]: string };

/** @minLength 3 */
type Name = string;
/** @minItems 1 */
type Names = Name[];
/** @cel self.a == self.b */
interface Pair {
  a: string;
  b: string;
}
interface Extended extends Pair {
  c: string;
}
type Union = { type: 'a'; a: string } | { type: 'b'; b: Int32 };
enum Mode {
  On = 'on',
  Off = 'off',
}

interface Tree {
  name: Name;
  mode?: Mode;
  branch: {
    on: boolean;
    /** @minimum 2 */
    count?: Int32;
    size?: Quantity;
  };
  list: { item: string; port?: IntOrString }[];
  names: Names;
  records: Record<string, { of: string }>;
  set: ListSet<string>;
  atomic?: AtomicList<{ x: Int32 }>;
  maybe?: { x: string } | null;
  union: Union;
}

interface Keyed {
  keyed: ListMap<{ name: string; value?: Int32 }, 'name'>;
}

export interface Sample extends CustomResource {
  spec: {
    text: Readonly<string>;
    flag: Required<boolean>;
    optionalText?: Partial<string>;
    count: Partial<Int32>;
    quantity: Readonly<Quantity>;
    port: Partial<IntOrString>;
    name: Partial<Name>;
    literals: Partial<'a' | 'b'>;
    enumeration: Readonly<Mode>;
    template: Partial<`v${string}`>;
    nullable: Readonly<string | null>;
    same: Same<string>;
    list: Same<string[]>;
    names: Partial<Names>;
    set: Required<ListSet<string>>;
    keyed: Readonly<ListMap<{ name: string }, 'name'>>;
    partialItems: Partial<{ a: string }[]>;
    rule: Readonly<Extended>;
    union: Required<Union>;
    perhaps: Partial<{ a: string } | undefined>;
    record: DeepPartial<Record<string, { of: string }>>;
    texts: Texts<{ a: Int32; b?: Int32 }>;
    readonlyTree: DeepReadonly<Tree & Keyed>;
    partialTree: DeepPartial<Omit<Tree, 'union'>>;
  };
}
