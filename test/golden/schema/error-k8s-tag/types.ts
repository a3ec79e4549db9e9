import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @k8s */
    a: string;
    /** @k8s {minLength: 1} */
    b: string;
    /** @k8s {"minLenght": 1} */
    c: string;
    /** @k8s {"uniqueItems": true} */
    d: string[];
    /** @k8s {"type": "text"} */
    e: string;
    /** @k8s {"properties": {"x": {}}} */
    f: { x: string };
    /** @k8s {"required": ["y"]} */
    g: { x: string };
    /** @k8s {"x-kubernetes-list-type": "map"} */
    h: { x: string }[];
    /** @k8s {"type": "array"} */
    i: any;
    /** @k8s {"default": 1} */
    j?: string;
    /** @k8s {"anyOf": [{"type": "string"}]} */
    k: string;
    /** @k8s {"additionalProperties": {"type": "string"}} */
    l: { x: string };
    /** @k8s ["x"] */
    m: string;
    /**
     * @immutable
     * @k8s {"x-kubernetes-validations": [{"rule": "self != ''"}]}
     */
    n: string;
  };
}
