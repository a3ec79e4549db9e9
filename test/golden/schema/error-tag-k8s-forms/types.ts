import type { CustomResource, Int32, IntOrString } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @k8s {"exclusiveMinimum": 5} */
    a?: Int32;
    /** @k8s {"type": ["string", "null"]} */
    b?: string;
    /** @k8s {"items": [{"type": "string"}]} */
    c?: string[];
    /** @k8s {"properties": {"x": {"minLenght": 1}}} */
    d?: { x?: string };
    /** @k8s {"required": "a"} */
    e?: { a?: string };
    /** @k8s {"$ref": "#/definitions/a"} */
    f?: string;
    /** @k8s {"patternProperties": {"^a": {"type": "string"}}} */
    g?: Record<string, string>;
    /** @k8s {"anyOf": [{"type": "string"}, {"type": "integer"}]} */
    h?: IntOrString;
    /** @k8s {"x-kubernetes-list-type": "set"} */
    i?: { a: string }[];
    /** @k8s {"x-kubernetes-validations": [{"rule": "self != ''", "fieldPath": ".x"}]} */
    j?: string;
    /** @k8s {"x-kubernetes-embedded-resource": true} */
    k?: Record<string, string>;
    /** @k8s {"x-kubernetes-preserve-unknown-fields": false} */
    l?: { a?: string };
    /** @items.k8s {"type": "nothing"} */
    m?: string[];
    /** @k8s {"const": "x"} */
    n?: string;
    /** @values.k8s {"x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true} */
    o?: Record<string, string>;
  };
}
