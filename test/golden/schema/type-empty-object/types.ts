import type { CustomResource, EmptyObject } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** Switches the feature on. */
    feature?: EmptyObject;
    /** @default {} */
    other?: EmptyObject;
  };
}
