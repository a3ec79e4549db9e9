import type { CustomResource, Double } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @allow */
    a?: string;
    /** @allow schema/float */
    b?: Double;
    /** @allow schema/plain-number I like it plain. */
    c?: Double;
    /** @allow schema/flaot Misspelt. */
    d?: Double;
    /** @allow float The code is incomplete. */
    e?: Double;
  };
}
