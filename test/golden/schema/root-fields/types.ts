import type { CustomResource, Int32 } from 'opsdk';

interface Common extends CustomResource {
  /** Shared by several kinds. */
  data?: Record<string, string>;
}

/** Has no spec. */
export interface Sample extends Common {
  count: Int32;
}
