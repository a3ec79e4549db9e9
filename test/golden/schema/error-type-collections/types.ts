import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    map: Map<string, string>;
    readonlyMap: ReadonlyMap<string, string>;
    set: Set<string>;
    readonlySet: ReadonlySet<string>;
    weakMap: WeakMap<object, string>;
    bytes: Uint8Array;
    buffer: ArrayBuffer;
    view: DataView;
    promise: Promise<string>;
    date: Date;
    regexp: RegExp;
    error: Error;
    iterable: Iterable<string>;
    inArray: Set<string>[];
    inRecord: Record<string, Map<string, string>>;
    optional?: Set<string> | null;
  };
}
