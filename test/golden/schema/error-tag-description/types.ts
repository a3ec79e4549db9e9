import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @description no json */
    a?: string;
    /** @description */
    b?: string;
    /** @description {"text": "x"} */
    c?: string;
    /**
     * There is a text.
     * @description "And another one."
     */
    d?: string;
    /**
     * @description "One."
     * @description "Two."
     */
    e?: string;
    /** @items.description plain */
    f?: string[];
    /** @description "with @minimum in it" */
    g?: string;
  };
}
