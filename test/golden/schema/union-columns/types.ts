import type { CustomResource } from 'opsdk';

interface First {
  kind: 'first';
  name: string;
}

interface Second {
  kind: 'second';
  /**
   * @printerColumn Name
   * @selectable
   */
  name: string;
}

export interface Sample extends CustomResource {
  spec: First | Second;
}
