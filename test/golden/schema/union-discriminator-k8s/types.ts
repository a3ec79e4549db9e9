import type { CustomResource } from 'opsdk';

interface First {
  /** @k8s {"enum": ["first"]} */
  kind: 'first';
}

interface Second {
  /** @k8s {"enum": ["second"]} */
  kind: 'second';
}

export interface Sample extends CustomResource {
  spec: {
    either: First | Second;
  };
}
