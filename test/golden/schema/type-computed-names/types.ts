import type { CustomResource } from 'opsdk';

const name = 'computed';
const names = { a: 'one' } as const;
enum Keys {
  A = 'a',
}

export interface Sample extends CustomResource {
  spec: {
    [name]: string;
    [names.a]: string;
    [Keys.A]: string;
    [1]: string;
    [`template`]: string;
  };
}
