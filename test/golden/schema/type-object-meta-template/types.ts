import type { CustomResource, EmbeddedObjectMeta } from 'opsdk';

interface Template {
  metadata?: EmbeddedObjectMeta;
  /** Nothing else. */
  spec: { image: string };
}

export interface Sample extends CustomResource {
  spec: { template: Template };
}
