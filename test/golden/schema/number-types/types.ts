import type { CustomResource, Double, Float, Float32, Int32, Int64, Integer } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    int32: Int32;
    int64: Int64;
    /** @maximum 9007199254740991 */
    safe: Int64;
    integer: Integer;
    float32: Float32;
    double: Double;
    float: Float;
    /** @format int32 */
    taggedInt32: number;
    /** @format int64 */
    taggedInt64: number;
    /** @format float */
    taggedFloat: number;
    /** @format double */
    taggedDouble: number;
    /** @k8s {"type": "integer", "minimum": 1} */
    escaped: number;
    literals: 1 | 2 | 3;
    half: 0.5 | 1;
    one: 1;
  };
}
