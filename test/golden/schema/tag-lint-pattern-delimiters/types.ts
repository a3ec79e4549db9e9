import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @pattern /^abc$/ */
    javascript?: string;
    /** @pattern /^abc$/gi */
    flags?: string;
    /** @pattern "^abc$" */
    quoted?: string;
    /**
     * @items.pattern '^abc$'
     */
    items?: string[];
    /** @pattern /abc/ */
    path?: string;
    /** @pattern ^/abc/$ */
    anchored?: string;
  };
}
