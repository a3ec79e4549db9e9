import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /**
     * How many.
     * @scale spec
     */
    replicas: Int32;
    /** @selectable */
    mode: 'a' | 'b';
    nested?: {
      /** @selectable */
      enabled?: boolean;
    };
  };
  status?: {
    /** @scale status */
    replicas?: Int32;
    /** @scale selector */
    selector?: string;
    /**
     * @selectable
     * @printerColumn
     */
    phase?: string;
  };
}
