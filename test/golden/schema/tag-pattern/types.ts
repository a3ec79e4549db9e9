import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @pattern ^[a-z]([-a-z0-9]*[a-z0-9])?$ */
    dns?: string;
    /** @pattern ^/a/*\/$ */
    slashes?: string;
    /** @pattern ^\d{2}@\p{L}+$ */
    classes?: string;
    /** @pattern ^(?i:yes|no)$ */
    flags?: string;
    /** @pattern a{2,3}|"b"|'c'|`d` */
    quotes?: string;
    /** @pattern  two  blanks */
    blanks?: string;
    /** @pattern ^(?P<name>.+)$ */
    named?: string;
  };
}
