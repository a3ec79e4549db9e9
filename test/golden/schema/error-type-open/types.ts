import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    any: any;
    unknown: unknown;
    object: object;
    braces: {};
    record: Record<string, unknown>;
    recordAny: Record<string, any>;
    list: any[];
    listUnknown: unknown[];
    upper: Object;
    index: { [key: string]: any };
    optional?: unknown;
    nullable: object | null;
  };
}
