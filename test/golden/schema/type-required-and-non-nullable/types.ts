import type { CustomResource, Int32 } from 'opsdk';

interface Options {
  a?: string;
  /** @minimum 1 */
  b?: Int32;
  c: string | null;
  d?: string | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface Sample extends CustomResource {
  spec: {
    required: Required<Options>;
    partial: Partial<Options>;
    nonNullable: NonNullable<string | null | undefined>;
    nonNullableField: NonNullable<Options['d']>;
    mutable: Mutable<Readonly<Options>>;
    requiredPick: Required<Pick<Options, 'a' | 'b'>>;
    partialOmit: Partial<Omit<Options, 'c'>>;
    requiredPartial: Required<Partial<Options>>;
  };
}
