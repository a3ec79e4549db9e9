import type { CustomResource } from 'opsdk';

interface Named {
  name: string;
}

export interface Sample extends CustomResource {
  spec: {
    signature: { [key: `x-${string}`]: string };
    record: Record<`x-${string}`, string>;
    numbers: { [key: number]: string };
    missing: Named['nam'];
    inner: Record<string, { a: string }['b']>;
  };
}
