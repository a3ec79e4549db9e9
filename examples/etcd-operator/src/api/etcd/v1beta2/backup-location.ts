/** S3Location is a path in a bucket of S3, or of another server that speaks its protocol. */
export interface S3Location {
  /**
   * Path is the bucket and the key: `mybucket/etcd.backup`. Backups of a schedule get its revision and time behind it.
   *
   * @pattern ^[a-z0-9][a-z0-9._-]+(/[^/]+)+$
   * @maxLength 900
   * @cel self.split('/').all(step, step != '.' && step != '..') : "must not have the steps . and .."
   */
  path: string;
  /**
   * AwsSecret is the name of a Secret with AWS's files `credentials` and `config`, or with `AWS_ACCESS_KEY_ID` and
   * `AWS_SECRET_ACCESS_KEY`.
   *
   * @minLength 1
   * @maxLength 253
   */
  awsSecret: string;
  /**
   * Endpoint is the address of the server, such as `https://minio.example.com:9000`. Default: AWS's of the region.
   *
   * @pattern ^https?://[^/@]+/?$
   * @maxLength 300
   */
  endpoint?: string;
  /**
   * Region of the bucket. Default: that of the Secret, else `us-east-1`.
   *
   * @pattern ^[a-z0-9-]+$
   * @maxLength 63
   */
  region?: string;
  /**
   * ForcePathStyle names the bucket in the path of URLs; false names it in their host.
   *
   * @default true
   */
  forcePathStyle?: boolean;
}

/** GcsLocation is a path in a bucket of Google Cloud Storage. */
export interface GcsLocation {
  /**
   * Path is the bucket and the name: `mybucket/etcd.backup`. Backups of a schedule get its revision and time behind it.
   *
   * @pattern ^[a-z0-9][a-z0-9._-]+(/[^/]+)+$
   * @maxLength 900
   * @cel self.split('/').all(step, step != '.' && step != '..') : "must not have the steps . and .."
   */
  path: string;
  /**
   * GcpSecret is the name of a Secret with the key file of a service account as `credentials.json`, or a token as `access-token`.
   *
   * @minLength 1
   * @maxLength 253
   */
  gcpSecret: string;
  /**
   * Endpoint is the address of the server. Default: `https://storage.googleapis.com`.
   *
   * @pattern ^https?://[^/@]+/?$
   * @maxLength 300
   */
  endpoint?: string;
}

/** PvcLocation is a path in a volume. */
export interface PvcLocation {
  /**
   * ClaimName is the name of a PersistentVolumeClaim of the namespace.
   *
   * @minLength 1
   * @maxLength 253
   */
  claimName: string;
  /**
   * Path of the file in the volume: `etcd/etcd.backup`. Backups of a schedule get its revision and time behind it.
   *
   * @pattern ^[^/]+(/[^/]+)*$
   * @maxLength 900
   * @cel self.split('/').all(step, step != '.' && step != '..') : "must not have the steps . and .."
   */
  path: string;
}

/** StorageType says which of the fields `s3`, `gcs` and `pvc` there is. */
export type StorageType = 'S3' | 'GCS' | 'PVC';

/** BackupStorage is the place of backups. */
export interface BackupStorage {
  /** S3 is the place of storage type S3. */
  s3?: S3Location;
  /** GCS is the place of storage type GCS. */
  gcs?: GcsLocation;
  /** PVC is the place of storage type PVC. */
  pvc?: PvcLocation;
}
