import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @k8s {"default": null} */
    a?: string;
    /** @k8s {"example": 5} */
    b?: string;
    /** @k8s {"enum": []} */
    c?: string;
    /** @k8s {"required": []} */
    d?: { a?: string };
    /** @k8s {"required": ["elsewhere"]} */
    e?: { a?: string };
    /** @k8s {"type": "string", "x-kubernetes-int-or-string": true} */
    f?: string | number;
    /** @k8s {"uniqueItems": false} */
    g?: string[];
    /** @k8s {"items": {"type": "string"}} */
    h?: string;
    /** @k8s {"type": "string", "enum": ["1", "2"]} */
    i?: 1 | '2';
    /**
     * The text above.
     *
     * @k8s {"description": "The text of the tag."}
     */
    j?: string;
    /** @k8s {"type": "array", "items": {"type": "array", "items": {"type": "string"}}} */
    k?: [string, ...string[]][];
    /** @k8s {"minimum": 10, "maximum": 1} */
    l?: Int32;
    /** @k8s {"additionalProperties": true} */
    m?: { a?: string };
  };
}
