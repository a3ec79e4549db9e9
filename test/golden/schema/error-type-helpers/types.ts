import type { CustomResource } from 'opsdk';

declare function make(name: string): { size: string };

const value = { a: 'x', b: [1] };

export interface Sample extends CustomResource {
  spec: {
    parameters: Parameters<typeof make>;
    returned: ReturnType<typeof make>;
    awaited: Awaited<Promise<string>>;
    typeOf: typeof value;
    typeOfFunction: typeof make;
    upper: Uppercase<'a' | 'b'>;
    lower: Lowercase<string>;
    inferred: typeof value extends { a: infer A } ? A : never;
    imported: import('opsdk').Int32;
  };
}
