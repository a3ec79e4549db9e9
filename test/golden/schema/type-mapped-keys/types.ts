import type { AtLeastOneOf, CustomResource, Int32, ListMap } from 'opsdk';

type One = 'a' | 'b';
type Two = One | 'c';
type Three = Two | 'd';
enum Text {
  Long = 'x-y',
  Short = 'z',
}
enum Alone {
  Only = 'only',
}
enum Count {
  One = 1,
  Two,
}
const enum Constant {
  P = 'p',
}
const keys = ['a', 'b'] as const;
const table = { first: 'one', second: 'two' } as const;

interface Base {
  a: string;
  /** @minimum 1 */
  b?: Int32;
  c: boolean;
  d: string;
}

type Generic<K extends string, V> = Record<K | 'g', V>;
type Optional<K extends string> = { readonly [X in K | One]?: Int32 };
type Named<K extends string> = { [X in K | One as `my${Capitalize<X>}`]: string };
type Filtered<K extends string> = { [X in K | One as Exclude<X, 'a'>]: string };
type Doubled<T> = { [K in keyof T & string as `${K}1` | `${K}2`]: T[K] };
type Texts<T, K extends keyof T> = { [X in K]: string };
type Chosen<B> = B extends true ? One : 'other';

export interface Sample extends CustomResource {
  spec: {
    alias: Record<Three, Int32>;
    parentheses: Record<(One | 'c') | 'a', string>;
    enumeration: Record<'q' | Text, boolean>;
    alone: Record<Alone | One, boolean>;
    member: Record<Text.Long | 'k', boolean>;
    numbers: Record<Count | 'k', boolean>;
    constant: Record<Constant | One, boolean>;
    list?: Partial<Record<(typeof keys)[number] | 'default', Int32>>;
    fields: Record<keyof Base | 'e', string>;
    tableKeys: Record<keyof typeof table | 'third', string>;
    tableValues: Record<(typeof table)[keyof typeof table] | 'third', string>;
    pick: Pick<Base, One | 'c'>;
    omit: Omit<Base, One | 'c'>;
    pickRest: Pick<Base, Exclude<keyof Base, One>>;
    extract: Record<Extract<Three, One> | 'z', string>;
    template: Record<`p${Two}` | One, string>;
    generic: Generic<Three, { deep: Generic<One, string> }>;
    optional: Optional<Two>;
    named: Named<'z'>;
    filtered: Filtered<Two>;
    doubled: Doubled<Base>;
    texts: Texts<Base, 'a' | 'b'>;
    conditional: Record<Chosen<true> | 'y', string>;
    withNever: Record<One | never, string>;
    text: Record<string | One, string>;
    textAndNumber: Record<string | number, string>;
    keyedList: ListMap<Record<Text, string>, Text.Short>;
    choice: AtLeastOneOf<Partial<Record<Three, string>>, Two | 'd'>;
    indexed: Record<Three, Int32>[Two | 'd'];
  };
}
