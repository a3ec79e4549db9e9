import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @default foo @see bar */
    a?: string;
    /** @pattern ^a @since$ */
    b?: string;
    /** A text. @deprecated Fine here. */
    c?: string;
    /**
     * @default x
     * @see fine
     */
    d?: string;
    /** @minimum 1 @see fine */
    e?: Int32;
    /** @items.title Of @version 2 */
    f?: string[];
  };
}
