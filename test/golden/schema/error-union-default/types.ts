import type { CustomResource } from 'opsdk';

interface Tcp {
  type: 'Tcp';
  /** @default false */
  tls?: boolean;
}

interface Http {
  type: 'Http';
  path: string;
}

export interface Sample extends CustomResource {
  spec: {
    probe: Tcp | Http;
  };
}
