import type { CustomResource } from 'opsdk';

const config = { mode: 'fast', on: true };
const constant = { mode: 'fast' } as const;

interface Base {
  a: string;
  b?: string;
}

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
type Nullable<T> = { [K in keyof T]: T[K] | null };
type Distributed<T> = T extends string ? `${T}s` : never;
type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };
type Getters<T> = { [K in keyof T as `get${Capitalize<string & K>}`]: T[K] };

export interface Sample extends CustomResource {
  spec: {
    config: typeof config;
    constant: typeof constant;
    optionalKeys: OptionalKeys<Base>;
    nullable: Nullable<Base>;
    distributed: Distributed<'a' | 'b'>;
    deep: DeepPartial<{ x: { y: string } }>;
    getters: Getters<Base>;
    keys: keyof Base;
    lower: Lowercase<'A' | 'B'>;
    spread: Omit<Base, 'b'> & Required<Pick<Base, 'b'>>;
  };
}
