import type { CustomResource, Int32 } from 'opsdk';

/** One. */
interface One {
  a: string;
}

/** @cel self.b > 1 */
interface Two {
  b: Int32;
}

type Branded = string & { readonly __brand: 'branded' };

export interface Sample extends CustomResource {
  spec: {
    both: One & Two;
    inline: One & { c?: string };
    three: One & Two & { c: boolean };
    branded: Branded;
    /** Its own. */
    described: One & Partial<{ d: string }>;
    nothing: One & {};
  };
}
