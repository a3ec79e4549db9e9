import type { CustomResource, Int32, JsonObject, ListMap } from 'opsdk';

interface Config {
  sizes: Int32[];
  labels?: Record<string, string>;
  nested?: {
    /** @default 3 */
    depth?: Int32;
  };
}

interface Port {
  name: string;
  /** @default 8080 */
  port?: Int32;
}

export interface Sample extends CustomResource {
  spec: {
    /** @default {"sizes": [1, 2], "labels": {"a": "b"}, "nested": {}} */
    config?: Config;
    /** @default [{"name": "x"}, {"name": "y", "port": 80}] */
    ports?: ListMap<Port, 'name'>;
    /** @items.default {"a": "b"} */
    records?: Record<string, string>[];
    /** @items.values.default 5 */
    numbers?: Record<string, Int32>[];
    /** @default {"any": {"thing": [1]}} */
    open?: JsonObject;
  };
}
