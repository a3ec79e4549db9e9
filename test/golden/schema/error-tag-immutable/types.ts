import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @immutable true */
    a?: string;
    /**
     * @immutable
     * @immutable
     */
    b?: string;
    /** @items.immutable now */
    c?: Record<string, string>[];
  };
}
