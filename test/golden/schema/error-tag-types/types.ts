import type { CustomResource, Int32, Json, Quantity } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @minLength 1 */
    a: Int32;
    /** @minimum 1 */
    b: string;
    /** @minItems 1 */
    c: string;
    /** @pattern ^a */
    d: string[];
    /** @minProperties 1 */
    e: string[];
    /** @multipleOf 2 */
    f: boolean;
    /** @minimum 1 */
    g: Quantity;
    /** @format date */
    h: boolean;
    /** @maxLength 1 */
    i: Json;
    /** @pattern ^a */
    j: Record<string, string>;
    /** @pattern ^a$ */
    k: 'a' | 'b';
  };
}
