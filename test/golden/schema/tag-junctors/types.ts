import type { CustomResource, Int32 } from 'opsdk';

/** @oneOf [{"required": ["s3"]}, {"required": ["gcs"]}] */
interface Storage {
  s3?: string;
  gcs?: string;
}

export interface Sample extends CustomResource {
  spec: {
    storage?: Storage;
    /** @anyOf [{"maximum": 1}, {"minimum": 5}] */
    number?: Int32;
    /**
     * @allOf [{"pattern": "^a"}, {"pattern": "b$"}]
     * @not {"enum": ["ab"]}
     */
    text?: string;
    /** @items.not {"pattern": "^x"} */
    list?: string[];
    /**
     * @oneOf [
     *   {"properties": {"type": {"enum": ["a"]}}, "required": ["a"]},
     *   {"properties": {"type": {"enum": ["b"]}}, "required": ["b"]}
     * ]
     */
    choice?: { type: string; a?: string; b?: string };
  };
}
