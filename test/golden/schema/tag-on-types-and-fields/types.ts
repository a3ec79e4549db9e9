import type { CustomResource } from 'opsdk';

/** @not {"required": ["c"]} */
interface Base {
  a?: string;
  b?: string;
  c?: string;
}

interface Extended extends Base {
  d?: string;
}

export interface Sample extends CustomResource {
  spec: {
    /** @not {"required": ["c"]} */
    same?: Base;
    /** @anyOf [{"required": ["a"]}, {"required": ["b"]}] */
    both?: Extended;
    /** @allOf [{"minProperties": 2}] */
    more?: Counted;
    /** @required y */
    open?: Kept;
  };
}

/** @allOf [{"maxProperties": 3}] */
type Counted = Base;

/**
 * @preserveUnknownFields
 * @required x
 */
interface Kept {
  a?: string;
}
