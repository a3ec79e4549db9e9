import type { Container, Volume } from 'opsdk/k8s/core/v1';
import type { BackupStorage, StorageType } from '../api/etcd/v1beta2/backup-location.ts';
import type { Storage } from './storage.ts';

/** Parts of a Pod that reach a place of backups. */
export interface StoragePod {
  /** Place as the arguments of the program name it. */
  readonly storage: Storage;
  readonly volume: Volume;
  readonly mount: { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean };
  /** Object of the namespace that the volume needs. */
  readonly needs: { readonly kind: 'Secret' | 'PersistentVolumeClaim'; readonly name: string };
}

/** Folders of containers that run the program. */
export const workFolder = '/var/run/etcd-backup/work';
export const tlsFolder = '/var/run/etcd-backup/client-tls';
const storageFolder = '/var/run/etcd-backup/storage';

/** File with the result of the program: the default of `terminationMessagePath`. */
export const resultFile = '/dev/termination-log';

/**
 * Returns the parts of a Pod for the place of a spec.
 * @param name name of the volume
 * @throws Error if the place is missing, which the API server does not accept
 */
export function storagePod(type: StorageType, { s3, gcs, pvc }: BackupStorage, name = 'storage'): StoragePod {
  const folder = storageFolder;
  const ofSecret = (secretName: string) => ({
    volume: { name, secret: { secretName } },
    mount: { name, mountPath: folder, readOnly: true },
    needs: { kind: 'Secret', name: secretName } as const,
  });
  if (type === 'S3' && s3 !== undefined) {
    const { path, awsSecret, endpoint, region, forcePathStyle } = s3;
    return { storage: { type, path, folder, endpoint, region, forcePathStyle }, ...ofSecret(awsSecret) };
  }
  if (type === 'GCS' && gcs !== undefined) {
    const { path, gcpSecret, endpoint } = gcs;
    return { storage: { type, path, folder, endpoint }, ...ofSecret(gcpSecret) };
  }
  if (type === 'PVC' && pvc !== undefined) {
    const { claimName, path } = pvc;
    return {
      storage: { type, path, folder },
      volume: { name, persistentVolumeClaim: { claimName } },
      mount: { name, mountPath: folder },
      needs: { kind: 'PersistentVolumeClaim', name: claimName },
    };
  }
  throw new Error(`storage type ${type}: expected the field ${type.toLowerCase()}`);
}

/** What a container of the program may do. */
export const containerSecurity: NonNullable<Container['securityContext']> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** What a Pod of the program may do. The group lets it write to volumes. */
export const podSecurity = {
  runAsNonRoot: true,
  fsGroup: 65532,
  seccompProfile: { type: 'RuntimeDefault' as const },
};

/** Variable with the name of the operator's image, which has the program. `config/manager` sets it. */
const imageVariable = 'RELATED_IMAGE_OPERATOR';

/** Returns the name of the operator's own image. @throws Error that says how to set it */
export function operatorImage(env: NodeJS.ProcessEnv = process.env): string {
  const image = env[imageVariable];
  if (image !== undefined && image !== '') return image;
  throw new Error(
    `${imageVariable} is not set: expected the name of the operator's image, which backups run. config/manager sets it in a cluster; outside of one, set it to an image that the cluster can pull`,
  );
}
