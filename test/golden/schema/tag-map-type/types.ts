import type { CustomResource } from 'opsdk';

/** @mapType atomic */
interface Reference {
  name: string;
}

export interface Sample extends CustomResource {
  spec: {
    reference?: Reference;
    /** @mapType granular */
    split?: Reference;
    /** @mapType atomic */
    selector?: Record<string, string>;
    /** @items.mapType atomic */
    list?: { name: string }[];
  };
}
