import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    pair: [string, Int32];
    same: [string, string];
    named: [from: string, to: string];
    rest: [string, ...string[]];
    optional: [string, string?];
    empty: [];
    readonly: readonly [string, string];
    list: [string, string][];
  };
}
