import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    big: bigint;
    bigLiteral: 1n;
    symbol: symbol;
    nothing: void;
    never: never;
    null: null;
    undefined: undefined;
    wrapped: String;
    wrappedNumber: Number;
    wrappedBoolean: Boolean;
    number: number;
    infinite: 1e400;
  };
}
