import type { CustomResource } from 'opsdk';

/** What stands above the type. */
interface Documented {
  /** @description "" */
  empty?: string;
  /**
   * @description "Mail to \u0040you, {braces}, `ticks`, a comment's end *\/, \"quotes\".\n\n  Indented.\n"
   */
  odd?: string;
  /**
   * @description "First, then a tag."
   * @minLength 1
   */
  tagged?: string;
}

/** @description " of the kind " */
export interface Sample extends CustomResource {
  spec: {
    fromType: Documented;
    /** @description "" */
    ofField: Documented;
    /**
     * Lines are kept,
     *   with their indentation,
     *
     * * and with stars,   
     *
     * but without blanks at their ends. A comment's end: *\/
     */
    plain?: string;
    /** On one line. */
    short?: string;
  };
}
