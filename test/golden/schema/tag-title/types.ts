import type { CustomResource } from 'opsdk';

/** @title A config */
interface Config {
  a?: string;
}

export interface Sample extends CustomResource {
  spec: {
    /** @title The title */
    a?: string;
    /** @items.title Of an item */
    b?: string[];
    /** @values.title Of a value */
    c?: Record<string, string>;
  };
}
