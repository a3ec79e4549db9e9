import type { CustomResource, Int32, Int64, Integer } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @minimum one */
    a: Int32;
    /** @minimum 1.5 */
    b: Int32;
    /** @maximum 3000000000 */
    c: Int32;
    /** @maximum 1e19 */
    d: Int64;
    /** @minLength -1 */
    e: string;
    /** @pattern (?=look)ahead */
    f: string;
    /** @pattern ( */
    g: string;
    /** @format int-or-string */
    h: string;
    /** @format datetime */
    i: string;
    /** @format int64 */
    j: Int32;
    /** @multipleOf 0 */
    k: Integer;
    /**
     * @minimum 5
     * @maximum 4
     */
    l: Int32;
    /**
     * @minimum 5
     * @exclusiveMinimum 4
     */
    m: Int32;
    /** @nullable yes */
    n: string;
    /** @minimum */
    o: Int32;
    /** @title */
    p: string;
    /** @immutable always */
    q: string;
    /** @pattern */
    r: string;
    /**
     * @pattern ^a$
     *
     * A text after the tag.
     */
    s: string;
    /**
     * @default first
     * second
     */
    t?: string;
    /**
     * @title A title
     * of two lines
     */
    u: string;
  };
}
