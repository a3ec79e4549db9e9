import type { CustomResource } from 'opsdk';

enum Color {
  Red = 'red',
  Green = 'green',
}

const enum Level {
  Low = 1,
  Mid,
  High = 10,
}

const modes = ['fast', 'slow'] as const;

/** How it is stored. */
type Storage = 'zfs' | 'ext4' | 'btrfs';

interface Fields {
  first: string;
  second: string;
}

export interface Sample extends CustomResource {
  spec: {
    color: Color;
    onlyRed: Color.Red;
    level?: Level;
    mode: (typeof modes)[number];
    storage?: Storage | 'xfs';
    alias?: Storage;
    field: keyof Fields;
    suggested?: 'a' | 'b' | (string & {});
    always: true;
    flag: true | false;
    plain: boolean;
    templated: `v${1 | 2}-${'x' | 'y'}`;
  };
}
