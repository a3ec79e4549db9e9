import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @example "quoted" */
    text?: string;
    /** @example {"a": 1} */
    object?: { a?: Int32 };
    /** @example 5 */
    number?: Int32;
    /** @items.example x */
    list?: string[];
  };
}
