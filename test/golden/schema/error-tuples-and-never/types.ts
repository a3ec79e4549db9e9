import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    pair: [string, string];
    named?: readonly [first: string, ...rest: string[]];
    never: never;
    optionalNever?: never;
    onlyNull: null;
    onlyUndefined: undefined;
  };
}
