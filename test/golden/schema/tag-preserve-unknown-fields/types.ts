import type { CustomResource, Int32 } from 'opsdk';

/** @preserveUnknownFields */
interface Config {
  level?: Int32;
}

/** @preserveUnknownFields */
export interface Sample extends CustomResource {
  spec: {
    config?: Config;
    /** @preserveUnknownFields */
    record?: Record<string, string>;
    /** @items.preserveUnknownFields */
    list?: { name: string }[];
    /** @preserveUnknownFields */
    array?: string[];
    /** @values.preserveUnknownFields */
    values?: Record<string, Config>;
  };
}
