import type { CustomResource, Int32 } from 'opsdk';

interface Http {
  /** @pattern ^/ */
  path: string;
  /**
   * @minimum 1
   * @printerColumn
   */
  port: Int32;
}

interface Tcp {
  /**
   * @minimum 1
   * @printerColumn
   */
  port: Int32;
  /** @title TLS */
  tls?: boolean;
  greeting: string;
}

export interface Sample extends CustomResource {
  spec: {
    /**
     * How to look.
     *
     * @cel self.port != 22 : "not there"
     * @default {"port": 80, "path": "/"}
     */
    probe?: Http | Tcp;
  };
}
