import type { CustomResource, Int32 } from 'opsdk';

/**
 * A cache.
 *
 * @displayName The Cache
 */
export interface Sample extends CustomResource {
  spec: {
    /**
     * How many replicas run.
     *
     * @displayName Number of Replicas
     * @descriptor spec order=1 urn:alm:descriptor:com.tectonic.ui:podCount
     * @minimum 1
     */
    replicas: Int32;
    tls?: {
      /** @descriptor spec urn:alm:descriptor:io.kubernetes:Secret, urn:alm:descriptor:com.tectonic.ui:advanced */
      secretName: string;
    };
    mode:
      | {
          /**
           * @descriptor spec urn:alm:descriptor:com.tectonic.ui:select:memory
           *   urn:alm:descriptor:com.tectonic.ui:select:disk
           */
          type: 'memory';
        }
      | {
          type: 'disk';
          /** @descriptor spec */
          path: string;
        };
  };
  status?: {
    nodes?: {
      /** @descriptor status urn:alm:descriptor:text */
      name: string;
    }[];
  };
}
