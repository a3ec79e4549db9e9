import type { CustomResource, EmptyObject } from 'opsdk';

interface Cat {
  name: string;
  lives?: string;
}

interface Dog {
  name: string;
  tail?: string;
}

export interface Sample extends CustomResource {
  spec: {
    pet: Cat | Dog;
    subset: { a: string } | { a: string; b?: string };
    optional: { a?: string } | { b?: string };
    same: { type: 'a'; x?: string } | { type: 'a' | 'b'; y?: string };
    fine: EmptyObject | { a: string };
  };
}
