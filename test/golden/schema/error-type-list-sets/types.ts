import type { RawExtension, CustomResource, ListMap, ListSet } from 'opsdk';

interface Item {
  name: string;
}

export interface Sample extends CustomResource {
  spec: {
    objects: ListSet<Item>;
    records: ListSet<Record<string, string>>;
    open: ListSet<RawExtension>;
    sets: ListSet<ListSet<string>>;
    maps: ListSet<ListMap<Item, 'name'>>;
    nulls: ListSet<string | null>;
  };
}
