import type { CustomResource, ListMap } from 'opsdk';

interface Item {
  name: string;
}

export interface Sample extends CustomResource {
  spec: {
    items: ListMap<Item, never>;
  };
}
