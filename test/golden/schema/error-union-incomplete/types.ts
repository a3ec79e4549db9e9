import type { CustomResource } from 'opsdk';

interface First {
  kind: 'first';
  value: any;
}

interface Second {
  kind: 'second';
  value: string;
}

export interface Sample extends CustomResource {
  spec: {
    either: First | Second;
  };
}
