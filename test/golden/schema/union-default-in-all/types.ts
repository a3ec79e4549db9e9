import type { CustomResource, Int32 } from 'opsdk';

interface Tcp {
  type: 'Tcp';
  /** @default 80 */
  port?: Int32;
}

interface Http {
  type: 'Http';
  /** @default 80 */
  port?: Int32;
  path: string;
}

export interface Sample extends CustomResource {
  spec: {
    probe: Tcp | Http;
  };
}
