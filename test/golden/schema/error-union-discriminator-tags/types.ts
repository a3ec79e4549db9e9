import type { CustomResource } from 'opsdk';

interface First {
  /** @title One */
  kind: 'first';
}

interface Second {
  /** @title Two */
  kind: 'second';
}

export interface Sample extends CustomResource {
  spec: {
    either: First | Second;
  };
}
