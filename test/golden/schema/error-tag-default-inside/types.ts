import type { CustomResource, Int32, ListSet } from 'opsdk';

interface Config {
  /** @minimum 0 */
  size: Int32;
}

export interface Sample extends CustomResource {
  spec: {
    /** @default {"size": "1"} */
    a?: Config;
    /** @default {} */
    b?: Config;
    /** @default {"size": 1, "other": 2} */
    c?: Config;
    /** @default [{"size": 1}, {"size": -1}] */
    d?: Config[];
    /** @default {"x": 1} */
    e?: Record<string, string>;
    /** @values.default x */
    f?: Record<string, Int32>;
    /** @items.items.default 1.5 */
    g?: Int32[][];
    /** @default ["a", "a"] */
    h?: ListSet<string>;
    /**
     * @items.maxLength 1
     * @default ["ab"]
     */
    i?: string[];
    /**
     * @default x
     * @not {"enum": ["x"]}
     */
    j?: string;
  };
}
