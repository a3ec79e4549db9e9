import type { CustomResource } from 'opsdk';

interface Base {
  a: string;
  b?: string;
}

type Reversed<T> = { [K in keyof T as Capitalize<K & string>]: T[K] };
type Chosen<T> = { [K in keyof T as T[K] extends string ? K : never]: T[K] };
type Everything<T> = { [K in keyof T as string]: T[K] };
type Two<T> = { [K in keyof T as `${string & K}1` | `any-${string}`]: T[K] };

export interface Sample extends CustomResource {
  spec: {
    reversed: Reversed<Base>;
    chosen: Chosen<Base>;
    everything: Everything<Base>;
    two: Two<Base>;
  };
}
