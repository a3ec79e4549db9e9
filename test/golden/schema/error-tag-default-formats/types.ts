import type { Base64, CustomResource, DateTime, Duration } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @default tomorrow */
    a?: DateTime;
    /** @default soon */
    b?: Duration;
    /** @default ??? */
    c?: Base64;
    /**
     * @format ipv4
     * @default 10.0.0.256
     */
    d?: string;
    /**
     * @format uuid
     * @default none
     */
    e?: string;
    /** @default {"since": "then"} */
    f?: { since?: DateTime };
    /** @items.default then */
    g?: DateTime[];
  };
}
