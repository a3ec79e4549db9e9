import type { CustomResource } from 'opsdk';

type Alias = unknown;

export interface Sample extends CustomResource {
  spec: {
    any: any;
    unknown: unknown;
    object: object;
    empty: {};
    alias: Alias;
    record: Record<string, unknown>;
    list: any[];
    untyped;
  };
}
