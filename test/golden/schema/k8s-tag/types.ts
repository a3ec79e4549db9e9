import type { CustomResource, Int32, Json, JsonObject } from 'opsdk';

/** @k8s {"minProperties": 1} */
interface Part {
  a?: string;
  b?: string;
}

interface Tree {
  /** @k8s {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}} */
  children?: Tree[];
}

/** @k8s {"properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 20}}}}} */
export interface Sample extends CustomResource {
  spec: {
    /** @k8s {"maxProperties": 2, "x-kubernetes-map-type": "atomic"} */
    part: Part;
    /** @k8s {"properties": {"a": {"type": "string", "minLength": 1}}} */
    one: Part;
    /** @k8s {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]} */
    either: Part;
    tree: Tree;
    /** @k8s {"format": "int64", "maximum": 9} */
    wider: Int32;
    /** @k8s {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]} */
    port: string | number;
    /** @k8s {"type": "object", "additionalProperties": {"type": "string"}} */
    map: Map<string, string>;
    /**
     * @k8s {"type": "integer"}
     * @minimum 3
     * @default 4
     */
    plain?: number;
    records?: Record<string, Json>;
    objects?: JsonObject[];
  };
}
