import type { CustomResource } from 'opsdk';

interface Both {
  a: string;
  c: string;
}

interface Neither {
  a?: never;
  b?: string;
}

export interface Sample extends CustomResource {
  spec: {
    either: Both | Neither;
  };
}
