import type { CustomResource, Double, Int32, Int64, IntOrString } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /**
     * @minimum -5
     * @maximum 5
     */
    integer?: Int32;
    /**
     * @exclusiveMinimum 0.5
     * @exclusiveMaximum 1e3
     */
    double?: Double;
    /** @multipleOf 0.25 */
    quarter?: Double;
    /** @minimum 1 */
    port?: IntOrString;
    /** @maximum 9007199254740991 */
    big?: Int64;
  };
}
