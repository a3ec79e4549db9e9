import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @externalDocs */
    a?: string;
    /** @externalDocs example */
    b?: string;
    /** @externalDocs {"href": "https://example.com"} */
    c?: string;
    /** @externalDocs {"url": 5} */
    d?: string;
    /** @externalDocs {"url" */
    e?: string;
  };
}
