import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    map: Map<string, string>;
    readonlyMap: ReadonlyMap<string, string>;
    set: Set<string>;
    date: Date;
    regexp?: RegExp;
    promise: Promise<string>;
    bytes: Uint8Array;
    url: URL;
    error: Error;
    boxed: Number;
    big: bigint;
    symbol: symbol;
    nothing: void;
    call: () => void;
    construct: new () => object;
    method(): string;
    get accessor(): string;
    inList: Date[];
    inRecord: Record<string, Map<string, Date>>;
    [Symbol.iterator]: string;
    (): string;
  };
}
