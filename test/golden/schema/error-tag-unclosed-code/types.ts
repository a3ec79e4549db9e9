import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /**
     * A code block that does not end hides no tag:
     * ```ts
     * const size = 1;
     *
     * @minimun 1
     * @enum a;b
     * @hidden
     */
    size?: Int32;
  };
}
