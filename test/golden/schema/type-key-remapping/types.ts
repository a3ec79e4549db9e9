import type { CustomResource } from 'opsdk';

interface Base {
  /** A. */
  a: string;
  b?: string;
}

type Without<T> = { [K in keyof T as K extends 'a' ? never : K]: T[K] };
type Prefixed<T> = { [K in keyof T as `the-${string & K}`]: T[K] };
type Getters<T> = { [K in keyof T as `get${Capitalize<string & K>}`]: T[K] };

export interface Sample extends CustomResource {
  spec: {
    without: Without<Base>;
    prefixed: Prefixed<Base>;
    getters: Getters<Base>;
  };
}
