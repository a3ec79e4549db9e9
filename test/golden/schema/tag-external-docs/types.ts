import type { CustomResource } from 'opsdk';

/** @externalDocs https://example.com/kinds All about kinds. */
export interface Sample extends CustomResource {
  spec: {
    /** @externalDocs https://example.com/a?b=c#d */
    url?: string;
    /** @externalDocs {"url": "https://example.com", "description": "In two\nlines."} */
    json?: string;
    /** @externalDocs {"description": "Without an address."} */
    text?: string;
    /** @items.externalDocs https://example.com */
    items?: string[];
  };
}
