import type { CustomResource } from 'opsdk';

interface Small {
  a: string;
}

interface Large {
  a: string;
  b: string;
}

interface Largest extends Large {
  c: string;
}

export interface Sample extends CustomResource {
  spec: {
    /** A Large would be a Small as well, were `b` not forbidden there. */
    sizes: Small | Large;
    three: Largest | Large | Small;
  };
}
