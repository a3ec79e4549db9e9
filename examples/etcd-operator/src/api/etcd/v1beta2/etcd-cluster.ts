import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';

/** EtcdClusterSpec defines the desired state of EtcdCluster. */
export interface EtcdClusterSpec {
  /**
   * Size is the number of members.
   *
   * @minimum 1
   * @maximum 7
   * @default 3
   */
  size?: Int32;
  /**
   * Version of etcd.
   *
   * @pattern ^\d+\.\d+\.\d+$
   * @default "3.6.8"
   */
  version?: string;
  /**
   * Repository of the image.
   *
   * @default "quay.io/coreos/etcd"
   */
  repository?: string;
  /** Paused clusters are left alone. */
  paused?: boolean;
}

/** EtcdClusterStatus defines the observed state of EtcdCluster. */
export interface EtcdClusterStatus {
  phase?: 'Creating' | 'Running' | 'Failed';
  /** Reason is the step that the operator has taken last. */
  reason?: string;
  controlPaused?: boolean;
  /** Size is the number of members that etcd knows. */
  size?: Int32;
  /** Names of the Pods whose members are healthy. */
  readyMembers?: string[];
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** EtcdCluster is the Schema for the etcdclusters API. */
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
  ],
  scale: { spec: '.spec.size', status: '.status.size' },
});
