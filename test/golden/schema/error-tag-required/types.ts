import type { CustomResource, JsonObject } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @required a */
    a?: { a?: string };
    /** @required */
    b?: JsonObject;
    /** @required x y */
    c?: JsonObject;
    /** @required x, x */
    d?: JsonObject;
    /** @required [1] */
    e?: JsonObject;
    /** @required x */
    f?: string[];
  };
}
