import type { CustomResource, IntOrString, Quantity } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @preserveUnknownFields true */
    a?: { b?: string };
    /** @preserveUnknownFields */
    b?: IntOrString;
    /** @items.preserveUnknownFields */
    c?: Quantity[];
  };
}
