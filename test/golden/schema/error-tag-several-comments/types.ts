import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @minLength 1 */
    /** @maxLength 5 */
    a?: string;
    /* @minLength 1 */
    b?: string;
    // @items.minLength 1
    c?: string[];
    /** A text. */
    /** Another text. @minLength 1 */
    fine?: string;
  };
}
