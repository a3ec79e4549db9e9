import type { CustomResource } from 'opsdk';

/**
 * @cel self != "" : "of the type"
 * @cel self != "x" : "not x"
 */
type Name = string;

export interface Sample extends CustomResource {
  spec: {
    /**
     * @cel self.startsWith("a") : "first"
     * @cel self.startsWith("a") : "second"
     * @cel self != "b"
     */
    text?: string;
    /** @cel self != "" : "of the field" */
    name?: Name;
  };
}
