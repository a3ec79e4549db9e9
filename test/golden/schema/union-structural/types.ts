import type { CustomResource } from 'opsdk';

interface Bucket {
  name: string;
  /** Default: that of the account. */
  region?: string;
}

/** Where backups go. */
type Target = { s3: Bucket } | { gcs: Bucket; project?: string } | { path: string };

export interface Sample extends CustomResource {
  spec: {
    target: Target;
    /** Another place. */
    mirror?: Target | null;
    all?: Target[];
    byName?: Record<string, Target>;
  };
}
