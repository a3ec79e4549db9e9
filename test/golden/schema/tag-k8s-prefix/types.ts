import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @items.k8s {"minLength": 1} */
    a?: string[];
    /** @items.k8s {"type": "integer", "format": "int32"} */
    b?: number[];
    /** @values.k8s {"x-kubernetes-preserve-unknown-fields": true} */
    c?: Record<string, unknown>;
    /**
     * @k8s {"type": "array", "items": {"type": "string"}}
     * @items.maxLength 5
     */
    d?: any;
  };
}
