import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    'c.d/e': string;
    'with space'?: string;
    __proto__: string;
    constructor: string;
    toString: string;
    hasOwnProperty?: Int32;
    "it's": string;
    $ref: string;
    'ünïcode': string;
    1: string;
    '': string;
    ['computed']: string;
    items: string[];
    properties: { type: string; default?: string };
  };
}
