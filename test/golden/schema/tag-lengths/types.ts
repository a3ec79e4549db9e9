import type { CustomResource, IntOrString, ListSet } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /**
     * @minLength 0
     * @maxLength 63
     */
    text?: string;
    /**
     * @minItems 0
     * @maxItems 3
     */
    list?: string[];
    /** @maxItems 10 */
    set?: ListSet<string>;
    /**
     * @minProperties 1
     * @maxProperties 2
     */
    record?: Record<string, string>;
    /** @minProperties 1 */
    object?: { a?: string; b?: string };
    /** @maxLength 5 */
    target?: IntOrString;
  };
}
