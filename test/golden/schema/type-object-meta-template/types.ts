import type { CustomResource, ObjectMetaTemplate } from 'opsdk';

interface Template {
  metadata?: ObjectMetaTemplate;
  /** Nothing else. */
  spec: { image: string };
}

export interface Sample extends CustomResource {
  spec: { template: Template };
}
