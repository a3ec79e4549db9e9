import type { CustomResource } from 'opsdk';
import type { Toleration } from 'opsdk/k8s/core/v1';

interface Custom {
  custom: string;
}

export interface Sample extends CustomResource {
  spec: {
    tolerates: Custom | Toleration;
  };
}
