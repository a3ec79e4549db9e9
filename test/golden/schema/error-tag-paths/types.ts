import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  /** @scale spec */
  spec: Int32;
  status?: {
    /** @selectable */
    '': string;
    /** @selectable */
    'a.b': string;
  };
}
