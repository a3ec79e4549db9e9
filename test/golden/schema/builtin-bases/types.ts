import type { Condition, CustomResource, Int32, EmbeddedObjectMeta } from 'opsdk';
import type { ContainerPort, PodDNSConfig } from 'opsdk/k8s/core/v1';

interface Port extends ContainerPort {
  /** Of the port. */
  weight?: Int32;
  /** Here it is required. */
  name: string;
}

interface MyCondition extends Condition {
  severity?: 'Error' | 'Warning';
}

export interface Sample extends CustomResource {
  spec: {
    port: Port;
    both: PodDNSConfig & { enabled?: boolean };
    metadata: EmbeddedObjectMeta & { generateName?: string };
  };
  status?: {
    condition?: MyCondition;
  };
}
