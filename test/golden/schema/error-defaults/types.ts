import type { CustomResource, Int32, IntOrString } from 'opsdk';

interface Range {
  min: Int32;
  max?: Int32;
}

export interface Sample extends CustomResource {
  spec: {
    /** @default ten */
    a?: Int32;
    /** @default 1.5 */
    b?: Int32;
    /**
     * @maximum 5
     * @default 6
     */
    c?: Int32;
    /** @default yes */
    d?: boolean;
    /** @default c */
    e?: 'a' | 'b';
    /** @default null */
    f?: string;
    /** @default {"max": 1} */
    g?: Range;
    /** @default {"min": 1, "mox": 2} */
    h?: Range;
    /** @default ["a", 1] */
    i?: string[];
    /**
     * @pattern ^a$
     * @default b
     */
    j?: string;
    /** @default "open */
    k?: string;
    /** @default */
    l?: string;
    /** @default true */
    m?: IntOrString;
    /** @default `code` */
    n?: string;
    /** @default null */
    o?: Int32[] | null;
    /** @default 3000000000 */
    p?: Int32;
    /** @default a, b */
    q?: string[];
    /** @default 10 */
    fine?: string;
  };
}
