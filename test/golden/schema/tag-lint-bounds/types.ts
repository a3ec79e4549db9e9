import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /**
     * @minLength 5
     * @maxLength 4
     */
    a?: string;
    /**
     * @minItems 2
     * @maxItems 1
     */
    b?: string[];
    /**
     * @exclusiveMinimum 5
     * @maximum 5
     */
    c?: Int32;
    /** @items.k8s {"minProperties": 2, "maxProperties": 1} */
    d?: Record<string, string>[];
    /**
     * @minimum 5
     * @maximum 5
     */
    fine?: Int32;
  };
}
