import {
  defineResource,
  type Condition,
  type CustomResource,
  type Int32,
  type ListMap,
  type Quantity,
} from 'opsdk';
import type { PodPolicy } from './pod-policy.ts';
import type { TLSPolicy } from './tls-policy.ts';

/** StoragePolicy gives each member a PersistentVolumeClaim. */
export interface StoragePolicy {
  /** Size of the volume of a member, such as 10Gi. */
  size: Quantity;
  /** Class is the StorageClass. Default: that of the Kubernetes cluster. */
  class?: string;
}

/** RecoveryPolicy is what happens when so many members are lost with their data that the others have no quorum. */
export interface RecoveryPolicy {
  /**
   * Backup is the name of an EtcdBackup of the namespace, from whose latest backup the cluster is restored. What was written after that
   * backup is lost.
   *
   * @minLength 1
   * @maxLength 253
   */
  backup: string;
}

/**
 * EtcdClusterSpec defines the desired state of EtcdCluster.
 *
 * @cel has(self.storage) == has(oldSelf.storage) : "storage cannot be added or removed: restore a backup into another cluster"
 * @cel has(self.TLS) == has(oldSelf.TLS) : "TLS cannot be added or removed: restore a backup into another cluster"
 */
export interface EtcdClusterSpec {
  /**
   * Size is the number of members. An even one tolerates no more failures than the odd one below it.
   *
   * @minimum 1
   * @maximum 7
   * @default 3
   */
  size?: Int32;
  /**
   * Version of etcd, without v. Upgrades go to the next minor version at most; there are no downgrades.
   *
   * @pattern ^3\.\d{1,3}\.\d{1,3}$
   * @maxLength 11
   * @default "3.6.8"
   */
  version?: string;
  /**
   * Repository of the image, whose tags are versions with a v.
   *
   * @minLength 1
   * @default "quay.io/coreos/etcd"
   */
  repository?: string;
  /** Paused clusters are left alone. */
  paused?: boolean;
  /** Pod is what the Pods of the members have besides etcd. */
  pod?: PodPolicy;
  /**
   * TLS among the members, and with their clients.
   *
   * @cel has(self.selfSigned) == has(oldSelf.selfSigned) : "static and selfSigned cannot replace each other: the members would not trust each other meanwhile"
   */
  TLS?: TLSPolicy;
  /**
   * Storage of the members. Without it, the data of a member is lost with its Pod.
   *
   * @immutable
   */
  storage?: StoragePolicy;
  /** Recovery from the loss of a quorum. Without it, the cluster stays as it is until an EtcdRestore says what to do. */
  recovery?: RecoveryPolicy;
}

/** MembersStatus lists the Pods of the members. */
export interface MembersStatus {
  /** Ready members are healthy. */
  ready?: string[];
  unready?: string[];
}

/** EtcdClusterStatus defines the observed state of EtcdCluster. */
export interface EtcdClusterStatus {
  phase?: 'Creating' | 'Running' | 'Restoring' | 'Failed';
  /** Reason is the step that the operator takes, or what it waits for. */
  reason?: string;
  /** ControlPaused is true while the operator leaves the cluster alone. */
  controlPaused?: boolean;
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
  /** Size is the number of members that etcd knows. */
  size?: Int32;
  /** ServiceName is the Service for clients. */
  serviceName?: string;
  /** ClientPort is the port of that Service. */
  clientPort?: Int32;
  /** Members by the names of their Pods. */
  members?: MembersStatus;
  /**
   * CurrentVersion is the lowest version of etcd that a member runs.
   *
   * @maxLength 20
   */
  currentVersion?: string;
  /** TargetVersion is the version that the members are upgraded to; empty when no upgrade is under way. */
  targetVersion?: string;
}

/**
 * EtcdCluster is the Schema for the etcdclusters API.
 *
 * @cel self.metadata.name.size() <= 52 && self.metadata.name.matches('^[a-z][-a-z0-9]*$') : "the name begins with a letter, has no dots, and at most 52 characters: Services and hosts are named after it"
 * @cel self.spec.version == oldSelf.spec.version || !has(oldSelf.status) || !has(oldSelf.status.currentVersion) || oldSelf.status.currentVersion == '' || [int(self.spec.version.split('.')[1]) - int(oldSelf.status.currentVersion.split('.')[1])].all(steps, steps == 1 || (steps == 0 && int(self.spec.version.split('.')[2]) >= int(oldSelf.status.currentVersion.split('.')[2]))) : "version must be that of status.currentVersion or a later one, and its minor version the same or the next one"
 * @cel self.spec.version == oldSelf.spec.version || !has(oldSelf.status) || !has(oldSelf.status.currentVersion) || !oldSelf.status.currentVersion.startsWith('3.5.') || !self.spec.version.startsWith('3.6.') || int(oldSelf.status.currentVersion.split('.')[2]) >= 20 : "before an upgrade to 3.6, upgrade to 3.5.20 or a later 3.5: members of earlier ones become learners again"
 */
export interface EtcdCluster extends CustomResource<'etcd.database.coreos.com/v1beta2', 'EtcdCluster'> {
  spec: EtcdClusterSpec;
  status?: EtcdClusterStatus;
}

export const EtcdCluster = defineResource<EtcdCluster>({
  group: 'etcd.database.coreos.com',
  version: 'v1beta2',
  kind: 'EtcdCluster',
  scope: 'Namespaced',
  storage: true,
  shortNames: ['etcd'],
  printerColumns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Size', type: 'integer', jsonPath: '.status.size' },
    { name: 'Version', type: 'string', jsonPath: '.status.currentVersion' },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
    { name: 'Paused', type: 'boolean', jsonPath: '.status.controlPaused', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  scale: { spec: '.spec.size', status: '.status.size' },
});
