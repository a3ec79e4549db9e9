import type { CustomResource, Int32, ListMap, ListSet } from 'opsdk';

interface Item {
  name: string;
  optional?: string;
  maybe: string | null;
  list: string[];
  /** @default 1 */
  defaulted?: Int32;
}

export interface Sample extends CustomResource {
  spec: {
    a: ListMap<Item, 'optional'>;
    b: ListMap<Item, 'maybe'>;
    c: ListMap<Item, 'list'>;
    d: ListSet<Item>;
    e: ListMap<Item, 'nope'>;
    f: ListMap<Record<string, string>, 'x'>;
    fine: ListMap<Item, 'name' | 'defaulted'>;
  };
}
