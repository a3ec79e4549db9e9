import type { CustomResource, Int32, IntOrString } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @format */
    a?: string;
    /** @format datetime */
    b?: string;
    /** @format int32 */
    c?: string;
    /** @format date */
    d?: Int32;
    /** @format int64 */
    e?: Int32;
    /** @format uri */
    f?: string[];
    /** @format int-or-string */
    g?: string;
    /** @format date-time */
    h?: IntOrString;
    /** @items.format int-or-string */
    i?: string[];
  };
}
