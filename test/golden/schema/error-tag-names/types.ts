import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  /** @minumum 1 */
  spec: {
    /** @minimun 1 */
    a: Int32;
    /** @min 1 */
    b: Int32;
    /** @integer */
    c: Int32;
    /** @required */
    d: string;
    /** @kubebuilder:validation:Minimum=1 */
    e: Int32;
    /**
     * +kubebuilder:validation:Minimum=1
     */
    f: Int32;
    /** Ask @alice about it. */
    g: string;
    /** Ask `@alice` about it, or mail alice@example.com. */
    h: string;
    /** @listMapKey name */
    i: string[];
    /**
     * @minimum 1
     * @minimum 2
     */
    j: Int32;
    /** @Minimum 1 */
    k: Int32;
    /** @hidden */
    l: string;
    /** @nosuchtagatall */
    m: string;
  };
}
