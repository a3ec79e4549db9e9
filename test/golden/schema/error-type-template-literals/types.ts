import type { CustomResource } from 'opsdk';

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

export interface Sample extends CustomResource {
  spec: {
    any: `a${any}`;
    upper: Uppercase<`a${string}`>;
    many: `${Digit}${Digit}${Digit}${string}`;
    /** @pattern ^v1 */
    pattern: `v${string}`;
    /** @k8s {"pattern": "^v1"} */
    escape: `v${string}`;
    /** @default 5 */
    default?: `${number}Gi`;
    mixed: `${number}Gi` | { a: string };
    keys: Record<`a${string}`, string>;
    index: { [key: `a${string}`]: string };
    mapped: { [K in `a${string}` | 'b']: string };
  };
}
