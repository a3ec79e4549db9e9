import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @mapType */
    a?: { b?: string };
    /** @mapType set */
    b?: Record<string, string>;
    /** @mapType atomic */
    c?: string[];
    /** @mapType atomic */
    d?: string;
  };
}
