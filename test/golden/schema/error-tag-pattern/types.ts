import type { CustomResource, Int32, Quantity } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @pattern ^(?!a) */
    a?: string;
    /** @pattern (a)\1 */
    b?: string;
    /** @pattern */
    c?: string;
    /** @pattern [z-a] */
    d?: string;
    /** @items.pattern (?<=a)b */
    e?: string[];
    /** @pattern a{1001} */
    f?: string;
    /** @pattern ^a$ */
    g?: Int32;
    /** @pattern ^a$ */
    h?: Quantity;
    /**
     * @pattern ^a$
     * What it means.
     */
    i?: string;
  };
}
