import type { CustomResource, Int32 } from 'opsdk';

/** @printerColumn */
type Count = Int32;

export interface Sample extends CustomResource {
  spec: {
    /** @printerColumn */
    list: string[];
    /** @printerColumn */
    object: { a: string };
    items: {
      /** @printerColumn */
      name: string;
    }[];
    records: Record<string, {
      /** @printerColumn */
      name: string;
    }>;
    /** @printerColumn */
    'example.com/name': string;
    /** @printerColumn name=X */
    odd: string;
    count: Count;
  };
}
