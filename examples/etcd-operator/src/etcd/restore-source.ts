import type { Container, Volume } from 'opsdk/k8s/core/v1';

/** First member of a cluster, as the containers that prepare its data must know it. */
export interface SeedMember {
  /** Name of the Pod and of the member: `etcdutl snapshot restore --name`. */
  readonly name: string;
  /** `--initial-advertise-peer-urls`, and with the name `--initial-cluster`. */
  readonly peerURL: string;
  /** `--initial-cluster-token`. */
  readonly token: string;
  /** Folder that must not exist before the restore, and must hold the member's data after it. */
  readonly dataDir: string;
  /** Volume that holds it, and its mount in each container. */
  readonly volume: { readonly name: string; readonly mountPath: string };
  /** Image and version of etcd, such as `3.6.8`: `etcdutl` is there since 3.5. */
  readonly image: string;
  readonly version: string;
}

/**
 * Snapshot that the first member of a cluster starts from.
 *
 * The controller of EtcdRestore decides when: while an EtcdRestore is in phase `Restoring`, the controller of the EtcdCluster that it names
 * deletes the Pods and volumes of the cluster as it was, and creates the seed with these containers. The Pod is annotated with the name and
 * the UID of the EtcdRestore ({@link restoreNameAnnotation}, {@link restoreUidAnnotation}): once it is ready, the restore has succeeded.
 */
export interface RestoreSource {
  /** EtcdRestore that asks for it. Its UID is the token of the cluster that begins with it, so that no restore is made twice. */
  readonly restore: { readonly name: string; readonly uid: string };
  /** Returns the init containers of the seed's Pod, in the order in which they run. */
  initContainers(seed: SeedMember): readonly Container[];
  /** Volumes that these need beside that of the data. */
  readonly volumes: readonly Volume[];
}

/** Annotations of the seed's Pod. */
export const restoreNameAnnotation = 'etcd.database.coreos.com/restore-name';
export const restoreUidAnnotation = 'etcd.database.coreos.com/restore-uid';
