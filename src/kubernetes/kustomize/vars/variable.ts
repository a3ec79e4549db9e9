import type { Where } from '../../../base/errors/index.ts';

/** An entry of `vars`: the value of a field, for `$(NAME)`. */
export interface Variable {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly object: string;
  /** `''` for any. */
  readonly namespace: string;
  readonly fieldPath: string;
  readonly where: Where;
}
