import type { CustomResource, Int32 } from 'opsdk';

interface Base {
  first: string;
  second: Int32;
  third?: boolean;
}

const levels = ['low', 'middle', 'high'] as const;
const sizes = [1, 2, 3] as const;
const table = { red: 1, green: 2 } as const;
const names = { a: 'one', b: 'two' } as const;

export interface Sample extends CustomResource {
  spec: {
    /** In the order of the fields. */
    field: keyof Base;
    level: (typeof levels)[number];
    size: (typeof sizes)[number];
    color: keyof typeof table;
    name: (typeof names)[keyof typeof names];
    perField: Record<keyof Base, string>;
    perLevel: Record<(typeof levels)[number], Int32>;
    perLiteral: Partial<Record<'x' | 'y', Int32>>;
    types: Base[keyof Pick<Base, 'first'>];
  };
}
