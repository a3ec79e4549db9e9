import type { CustomResource } from 'opsdk';

enum Mixed {
  A = 'a',
  B = 1,
}

enum Computed {
  A = 'abc'.length,
}

enum Fraction {
  Half = 0.5,
  One = 1,
}

enum Huge {
  A = 2 ** 60,
}

export interface Sample extends CustomResource {
  spec: {
    mixed: Mixed;
    computed: Computed;
    nullable: Fraction | null;
    both: Mixed | Fraction;
    huge: Huge;
  };
}
