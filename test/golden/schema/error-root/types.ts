import type { KubeObject } from 'opsdk';

/** @minProperties 1 */
export interface Sample {
  metadata: KubeObject['metadata'];
  kind: 'Sample';
  spec: { a: string };
}
