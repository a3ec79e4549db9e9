import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @k8s {"minLength": 1} */
    a?: Int32;
    /** @k8s {"enum": ["a", 1, null]} */
    b?: string;
    /** @oneOf [{"required": ["x"]}, {"properties": {"y": {"minLength": 1}}}, {"not": {"required": ["a"]}}] */
    c?: { a?: string };
    /** @items.k8s {"maximum": 5, "maxItems": 3} */
    d?: string[];
    /**
     * @preserveUnknownFields
     * @oneOf [{"required": ["x"]}, {"required": ["y"]}]
     */
    open?: { a?: string };
    /** @allOf [{"anyOf": [{"required": ["a"]}, {"required": ["z"]}]}] */
    nested?: { a?: string };
    /** @k8s {"x-kubernetes-int-or-string": true, "type": "string", "minimum": 1} */
    text?: string;
  };
}
