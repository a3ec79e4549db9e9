import {
  defineResource,
  type AtLeastOneOf,
  type AtMostOneOf,
  type AtomicList,
  type CustomResource,
  type ExactlyOneOf,
} from 'opsdk';

/** Bucket of an object store. */
export interface Bucket {
  /** Name of the bucket. */
  name: string;

  /** Region of the bucket. */
  region?: string;
}

/** Claim of a volume. */
export interface Claim {
  /** ClaimName in the namespace of the backup. */
  claimName: string;
}

/** Target says where backups go. */
export type Target = ExactlyOneOf<
  {
    /** Bucket of an object store. */
    s3: Bucket;

    /** Bucket of an object store. */
    gcs: Bucket;

    /** Claim of a volume. */
    claim: Claim;

    /** Prefix of all files. */
    prefix?: string;
  },
  's3' | 'gcs' | 'claim'
>;

/** Filter says what is saved. */
export type Filter = AtMostOneOf<{
  /** Include these paths only. */
  include: string;

  /** Exclude these paths. */
  exclude: string;
}>;

/** Notify says who is told. */
export type Notify = AtLeastOneOf<{
  /**
   * Mail address.
   *
   * @format email
   */
  mail: string;

  /**
   * Hook that is called.
   *
   * @format uri
   */
  hook: string;
}>;

/** BackupSpec defines the desired state of Backup. */
export interface BackupSpec {
  /** Target says where backups go. */
  target: Target;

  /** Filter says what is saved. */
  filter?: Filter;

  /** Notify says who is told. */
  notify?: Notify;

  /**
   * Mirrors get the same files.
   *
   * @maxItems 3
   */
  mirrors?: AtomicList<Target>;
}

/** Backup is the Schema for the backups API. */
export interface Backup extends CustomResource {
  /** Spec of the backup. */
  spec?: BackupSpec;
}

export const Backup = defineResource<Backup>({
  group: 'storage.peers.example.com',
  version: 'v1',
  kind: 'Backup',
});
