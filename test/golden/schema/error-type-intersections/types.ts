import type { AtomicObject, CustomResource, ExactlyOneOf, ListSet } from 'opsdk';

interface One {
  a: string;
}

export interface Sample extends CustomResource {
  spec: {
    same: One & { a: 'x' };
    list: string[] & { length: 2 };
    atomic: AtomicObject<One> & { b: string };
    choice: ExactlyOneOf<{ x?: string; y?: string }> & One;
    record: Record<string, string> & One;
    literals: 'a' & 'b';
    lists: string[] & One[];
    sets: ListSet<string> & { b: string };
  };
}
