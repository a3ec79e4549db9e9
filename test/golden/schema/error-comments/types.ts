import type { CustomResource, Int32 } from 'opsdk';

interface Inline { /** Lost. */ a: string; /** Also lost. */ b: string }

enum Mode {
  /** The first. */
  A = 'a',
  /** @deprecated */
  B = 'b',
  /** @default c */
  C = 'c',
}

type Alias = /** @maxLength 3 */ string;

export interface Sample extends CustomResource {
  spec: {
    // @minimum 1
    a: Int32;
    /* @maximum 1 */
    b: Int32;
    c: Int32; /** Of c. */
    /** @minimum 1 */
    /** The second. */
    d: Int32;
    inline: Inline;
    // An ordinary comment, with an e-mail@example.com and @nothing special.
    e: Int32; // at the end
    f: Int32; /** Of f. */
    g: /** @minLength 1 */ string;
    h /** The size. @minimum 1 */ : Int32;
    i: {
      a: string;
      /** @minLength 1 */
    };
    j: Mode;
    k: Alias;
    l: /** Not a constraint. */ string;
  };
}
