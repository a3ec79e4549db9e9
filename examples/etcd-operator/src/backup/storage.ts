import { FolderStore } from './stores/folder-store.ts';
import { gcsCredentials, gcsSecretKeys } from './stores/gcs-credentials.ts';
import { GcsStore } from './stores/gcs-store.ts';
import { s3Credentials, s3SecretKeys } from './stores/s3-credentials.ts';
import { S3Store } from './stores/s3-store.ts';
import { readSecret } from './stores/secret-files.ts';
import type { BackupStore } from './stores/backup-store.ts';

export const storageTypes = ['S3', 'GCS', 'PVC'] as const;
export type StorageType = (typeof storageTypes)[number];

/** Place of a backup, as the arguments of the program name it. */
export interface Storage {
  readonly type: StorageType;
  /** Path of the backup: `bucket/key`, or the path in the volume. */
  readonly path: string;
  /** Folder with the keys of the Secret for S3 and GCS, or the folder of the volume. */
  readonly folder: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** False to name the bucket in the host of the URL. */
  readonly forcePathStyle?: boolean | undefined;
}

/** Returns the store, with the credentials that its Secret has now. @throws StoreError */
export async function openStore({
  type,
  folder,
  endpoint,
  region,
  forcePathStyle,
}: Storage): Promise<BackupStore> {
  switch (type) {
    case 'S3': {
      const credentials = s3Credentials(await readSecret(folder, s3SecretKeys));
      return new S3Store({ credentials, endpoint, region, forcePathStyle });
    }
    case 'GCS':
      return new GcsStore({ credentials: gcsCredentials(await readSecret(folder, gcsSecretKeys)), endpoint });
    case 'PVC':
      return new FolderStore(folder);
  }
}
