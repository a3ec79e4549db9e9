import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @items.maxLenght 5 */
    a?: string[];
    /** @item.maxLength 5 */
    b?: string[];
    /** @items */
    c?: string[];
    /** @items. */
    d?: string[];
    /** @values.values.minimun 5 */
    e?: Record<string, Record<string, string>>;
    /** @value.items.maxLength 5 */
    f?: Record<string, string[]>;
    /** @properties.a.maxLength 5 */
    g?: { a?: string };
    /** @items.see https://example.com */
    h?: string[];
    /**
     * @items.maxLength 5
     * @items.maxLength 6
     */
    i?: string[];
    /** @Items.maxLength 5 */
    j?: string[];
    // @items.maxLength 5
    k?: string[];
  };
}
