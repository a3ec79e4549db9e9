import type { CustomResource } from 'opsdk';

interface Bucket {
  name: string;
}

export interface Sample extends CustomResource {
  spec: {
    /** What the types forbid follows from what they require. */
    exclusive: { s3: Bucket; gcs?: never } | { s3?: never; gcs: Bucket };
    undefinedToo: { s3: Bucket; gcs?: undefined } | { s3?: undefined; gcs: Bucket };
    /** Here it does not: `keep` would be allowed without an alternative of its own. */
    extra: { s3: Bucket; keep?: never; gone?: never } | { gcs: Bucket; keep?: boolean };
    two: { a: string; b?: never; c?: never } | { d: string; b?: string; c?: string };
  };
}
