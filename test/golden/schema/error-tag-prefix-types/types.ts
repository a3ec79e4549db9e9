import type { CustomResource, Json } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @items.maxLength 5 */
    a?: string;
    /** @values.maxLength 5 */
    b?: string[];
    /** @items.maxLength 5 */
    c?: Record<string, string>;
    /** @items.minimum 1 */
    d?: string[];
    /** @items.items.maxLength 1 */
    e?: string[];
    /** @values.minLength 1 */
    f?: { a?: string };
    /** @items.maxLength 1 */
    g?: Json;
    /** @values.maxItems 1 */
    h?: Record<string, string>;
    /** @items.minLength x */
    i?: string[];
    /** @items.default 1 */
    j?: boolean[];
    /** @values.pattern ( */
    k?: Record<string, string>;
  };
}
