import type { CustomResource, DateTime, IntOrString, Integer } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @format date-time */
    a?: string;
    /** @format k8s-short-name */
    b?: string;
    /** @format int64 */
    c?: Integer;
    /** @format int32 */
    d?: number;
    /** @format float */
    e?: number;
    /** @format int-or-string */
    f?: IntOrString;
    /** @items.format uuid */
    g?: string[];
    /** @values.items.format cidr */
    h?: Record<string, string[]>;
    /** @format date-time */
    i?: DateTime;
  };
}
