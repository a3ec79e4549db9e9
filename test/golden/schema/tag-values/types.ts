import type { CustomResource, Int32 } from 'opsdk';

interface Limit {
  max: Int32;
}

/** @values.maxLength 20 */
type Labels = Record<string, string>;

export interface Sample extends CustomResource {
  spec: {
    /**
     * Tags of the record beside tags of its values.
     *
     * @maxProperties 5
     * @values.minLength 1
     * @values.pattern ^\w+$
     * @values.description "A value."
     * @values.default x
     */
    plain?: Record<string, string>;
    labels?: Labels;
    /** @values.items.maxLength 3 */
    lists?: Record<string, string[]>;
    /** @items.values.maximum 3 */
    maps?: Record<string, Int32>[];
    /** @values.values.minimum 1 */
    deep?: { [key: string]: { [key: string]: Int32 } };
    /** @values.cel self.max > 0 */
    limits?: Record<string, Limit>;
    /** @values.mapType atomic */
    wholes?: Record<string, Limit>;
    /** @values.format uri */
    urls?: Record<string, string>;
  };
}
