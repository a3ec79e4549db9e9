import type { Int64 } from 'opsdk';

/** Of another file. */
export interface Shared {
  /** @maximum 10 */
  value: Int64;
}

export interface Named {
  name: string;
}
