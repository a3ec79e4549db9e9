import type { AtomicList, CustomResource, ListMap } from 'opsdk';

interface Item {
  name: string;
  /** @immutable */
  fixed?: string;
}

export interface Sample extends CustomResource {
  spec: {
    /** @items.immutable */
    a?: string[];
    /** @items.cel self.a == oldSelf.a */
    b?: AtomicList<{ a: string }>;
    /** @cel {"rule": "self != ''", "optionalOldSelf": true} */
    c?: string;
    /** @items.items.cel self >= oldSelf */
    d?: string[][];
    list?: Item[];
    fine?: ListMap<Item, 'name'>;
    /** @items.cel self != "oldSelf" */
    fineToo?: string[];
  };
}
