import type { CustomResource } from 'opsdk';

interface A { a?: string } /** @minProperties 1 */
interface B { b?: string }; /** @maxProperties 1 */ type C = { c?: string };

export interface Sample extends CustomResource {
  spec: {
    a?: A;
    b?: B;
    c?: C;
    d?: { /** @minLength 1 */ x?: string; /** @minLength 2 */ y?: string };
    e?: /** @minLength 1 */ string;
    f?: string; /** @minLength 1 */
  };
}
