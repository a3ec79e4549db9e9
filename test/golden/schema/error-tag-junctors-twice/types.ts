import type { CustomResource } from 'opsdk';

/** @oneOf [{"required": ["a"]}, {"required": ["b"]}] */
interface Base {
  a?: string;
  b?: string;
  c?: string;
}

/** @oneOf [{"required": ["c"]}, {"required": ["d"]}] */
interface Extended extends Base {
  d?: string;
}

export interface Sample extends CustomResource {
  spec: {
    extended?: Extended;
    /** @oneOf [{"required": ["c"]}] */
    field?: Base;
  };
}
