import type { CustomResource, Int32 } from 'opsdk';

interface One {
  a: string;
}

export interface Sample extends CustomResource {
  spec: {
    never: string & Int32;
    scalar: string & One;
  };
}
