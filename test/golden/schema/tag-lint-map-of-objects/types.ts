import type { CustomResource, JsonObject } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    nodes?: Record<string, { zone: string }>;
    records?: Record<string, Record<string, string>>;
    open?: Record<string, JsonObject>;
    lists?: { a: string }[];
  };
}
