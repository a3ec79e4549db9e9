import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @example "quoted" */
    text?: string;
    /** @example {"a": 1} */
    object?: { a?: Int32 };
    /** @example 5 */
    number?: Int32;
    /** @items.example "x" */
    list?: string[];
    /** @example 80 */
    misfit?: string;
    /**
     * A text above.
     *
     * @example
     * ```ts
     * @Injectable()
     * const first = 1;
     * ```
     * @example 7
     * @example 8
     * @minimum 1
     */
    several?: Int32;
    /** @example a: 1 */
    prose?: string;
    /** @allow schema/example Others show it like that. @example 80 */
    allowed?: string;
  };
}
