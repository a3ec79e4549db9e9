import type { CustomResource } from 'opsdk';

type Mode = 'a' | 'b';

export interface Sample extends CustomResource {
  spec: {
    strings: ('x' | 'y') | null;
    numbers?: 1 | 2 | null;
    alias: Mode | null;
    /** @nullable */
    tagged: Mode;
    list: (Mode | null)[];
  };
}
