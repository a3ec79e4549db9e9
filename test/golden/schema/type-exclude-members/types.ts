import type { CustomResource } from 'opsdk';

type Shape = { kind: 'circle'; radius: string } | { kind: 'square'; side: string } | { kind: 'dot' };

export interface Sample extends CustomResource {
  spec: {
    /** Two of the three. */
    excluded: Exclude<Shape, { kind: 'dot' }>;
    one: Extract<Shape, { kind: 'square' }>;
  };
}
