import type { CustomResource, EmptyObject, Int32, JsonObject } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @embeddedResource */
    a?: string;
    /** @embeddedResource */
    b?: Record<string, string>;
    /** @embeddedResource yes */
    c?: JsonObject;
    /** @embeddedResource */
    d?: EmptyObject;
    /** @embeddedResource */
    e?: { kind: Int32; metadata: string };
    /** @items.embeddedResource */
    f?: string[];
    /** @embeddedResource */
    g?: { kind?: string };
  };
}
