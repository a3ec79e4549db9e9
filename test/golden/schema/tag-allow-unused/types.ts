import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @allow schema/float It was one once. */
    count?: Int32;
    /** @allow schema/unit Seconds. */
    timeoutSeconds?: Int32;
  };
}
