import type { CustomResource } from 'opsdk';
import type { Missing } from './missing.ts';

/** The desired state. */
interface Spec {
  /** @minimun 1 */
  size: number;
  labels: Map<string, string>;
  missing: Missing;
  self?: Spec;
  /** @minLength 1 */
  flag: boolean;
}

export interface Sample extends CustomResource {
  spec: Spec;
  status?: { when: Date };
}
