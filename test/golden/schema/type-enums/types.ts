import type { CustomResource } from 'opsdk';

/** Strings. */
enum Color {
  /** Warm. */
  Red = 'red',
  Blue = 'blue',
}

const enum Size {
  Small = 1,
  Large = 10,
}

enum Counted {
  Zero,
  One,
  Two,
}

enum Flags {
  A = 1 << 0,
  B = 1 << 1,
  Both = A | B,
}

enum Fraction {
  Half = 0.5,
  One = 1,
}

export interface Sample extends CustomResource {
  spec: {
    /** @default red */
    color?: Color;
    size: Size;
    counted: Counted;
    flags: Flags;
    fraction: Fraction;
    one: Color.Red;
    some: Color.Red | 'green';
    list: Color[];
  };
}
