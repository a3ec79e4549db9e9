import type { CustomResource } from 'opsdk';

type Union = { type: 'a'; a: string } | { type: 'b'; b: string };

export interface Sample extends CustomResource {
  spec: {
    partial: Partial<Union>;
    pick: Pick<Union, 'type'>;
    omit: Omit<Union, 'type'>;
    required: Required<Union>;
    readonly: Readonly<Union>;
    field: Union['type'];
  };
}
