import { dirname, join } from 'node:path/posix';
import type { Container } from 'opsdk/k8s/core/v1';
import type { EtcdRestore } from '../api/etcd/v1beta2/etcd-restore.ts';
import type { RestoreSource, SeedMember } from '../etcd/restore-source.ts';
import { argumentsOf, type BackupCommand } from './arguments.ts';
import { restoringDir } from './place-data.ts';
import { containerSecurity, operatorImage, resultFile, storagePod } from './storage-pod.ts';

/** Seconds that the fetching of a backup may take. */
const timeoutSeconds = 3600;

/**
 * Returns what the first member of a cluster needs to start from the backup of an EtcdRestore: a container that fetches and checks the
 * snapshot, one that makes data of it, with etcd's own tool, and one that puts the data in place. All may run again.
 *
 * @param image name of the operator's image. Default: that of this operator
 * @throws Error if that is not known
 */
export function restoreSourceOf(
  { metadata, spec, status }: EtcdRestore,
  image = operatorImage(),
): RestoreSource {
  const { storage, volume, mount } = storagePod(spec.backupStorageType, spec, 'restore-storage');
  const { name = '', uid = '' } = metadata;
  const sha256 = status?.sha256 ?? spec.sha256;
  return {
    restore: { name, uid },
    volumes: [volume],
    initContainers(seed) {
      const { dataDir, volume: data } = seed;
      const file = join(dirname(dataDir), 'restore', 'snapshot.db');
      const program = (containerName: string, command: BackupCommand): Container => ({
        name: containerName,
        image,
        args: argumentsOf(command),
        securityContext: containerSecurity,
        volumeMounts: [data, ...(command.verb === 'place' ? [] : [mount])],
      });
      const common = { timeoutSeconds, resultFile, file, dataDir };
      return [
        program('fetch-snapshot', { verb: 'fetch', ...common, storage, sha256 }),
        restoreContainer(seed, file),
        program('place-data', { verb: 'place', ...common }),
      ];
    },
  };
}

/** Returns the container that makes a member's data of a snapshot. */
function restoreContainer(
  { name, peerURL, token, dataDir, volume, image, version }: SeedMember,
  file: string,
): Container {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // etcdutl is there since 3.5, and etcdctl no longer restores since 3.6.
  const tool = major > 3 || minor >= 5 ? 'etcdutl' : 'etcdctl';
  return {
    name: 'restore-snapshot',
    image,
    command: [
      tool,
      'snapshot',
      'restore',
      file,
      `--name=${name}`,
      `--initial-cluster=${name}=${peerURL}`,
      `--initial-cluster-token=${token}`,
      `--initial-advertise-peer-urls=${peerURL}`,
      `--data-dir=${restoringDir(dataDir)}`,
      // The container before this one has checked it. Data of the member itself, when the containers run again, has no checksum.
      '--skip-hash-check=true',
    ],
    env: tool === 'etcdctl' ? [{ name: 'ETCDCTL_API', value: '3' }] : [],
    securityContext: containerSecurity,
    volumeMounts: [volume],
  };
}
