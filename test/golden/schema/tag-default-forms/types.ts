import type { CustomResource, Double, Json, Quantity } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @default bare words */
    bare?: string;
    /** @default "double \"quoted\" \u0040 \n" */
    quoted?: string;
    /** @default 'single' */
    single?: string;
    /** @default 10 */
    text?: string;
    /** @default true */
    textToo?: string;
    /** @default b */
    mode?: 'a' | 'b';
    /** @default 2 */
    level?: 1 | 2;
    /** @default -0.5e1 */
    double?: Double;
    /** @default false */
    flag?: boolean;
    /** @default [] */
    list?: string[];
    /** @default {} */
    record?: Record<string, string>;
    /** @default 1 */
    any?: Json;
    /** @default 1500m */
    quantity?: Quantity;
    /** @default 2 */
    quantityNumber?: Quantity;
    /** @default "null" */
    nullText?: string | null;
  };
}
