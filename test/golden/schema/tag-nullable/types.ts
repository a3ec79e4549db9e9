import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @nullable */
    text?: string;
    /** @nullable */
    object?: { a?: string };
    /** @values.nullable */
    values?: Record<string, string>;
    /** @items.items.nullable */
    deep?: string[][];
    /** @nullable */
    mode?: 'a' | 'b';
  };
}
