import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @pattern ^a*/b$ */
    a?: string;
  };
}
