import type { CustomResource, IntOrString } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @oneOf */
    a?: string;
    /** @oneOf {"minLength": 1} */
    b?: string;
    /** @anyOf [] */
    c?: string;
    /** @allOf ["x"] */
    d?: string;
    /** @not [] */
    e?: string;
    /** @oneOf [{"minLenght": 1}] */
    f?: string;
    /** @anyOf [{"type": "string"}, {"description": "x"}] */
    g?: string;
    /** @not {"default": "x"} */
    h?: string;
    /** @anyOf [{"minimum": 1}] */
    i?: IntOrString;
    /** @allOf [{"properties": {"a": {"nullable": true}}}] */
    j?: { a?: string };
    /** @oneOf [{"pattern": "(?=a)"}] */
    k?: string;
    /** @oneOf [{"minLength": "1"}] */
    l?: string;
  };
}
