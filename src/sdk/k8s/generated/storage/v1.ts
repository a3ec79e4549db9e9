// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as core_v1 from '../core/v1.ts';
import type * as meta_v1 from '../meta/v1.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { DateTime, Int32, Int64, Quantity } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** CSIDriver captures information about a Container Storage Interface (CSI) volume driver deployed on the cluster. */
export interface CSIDriver extends KubeObject<'storage.k8s.io/v1', 'CSIDriver'> {
  /** spec represents the specification of the CSI Driver. */
  spec: CSIDriverSpec;
}
export const CSIDriver: Resource<CSIDriver> = /* @__PURE__ */ externalResource<CSIDriver>({ group: 'storage.k8s.io', version: 'v1', kind: 'CSIDriver', plural: 'csidrivers', scope: 'Cluster' });

/** CSIDriverSpec is the specification of a CSIDriver. */
export interface CSIDriverSpec {
  /** attachRequired indicates this CSI volume driver requires an attach operation (because it implements the CSI ControllerPublishVolume() method), and that the Kubernetes attach detach controller should call the attach volume interface which … */
  attachRequired?: boolean | undefined;
  /** fsGroupPolicy defines if the underlying volume supports changing ownership and permission of the volume before being mounted. */
  fsGroupPolicy?: string | undefined;
  /** nodeAllocatableUpdatePeriodSeconds specifies the interval between periodic updates of the CSINode allocatable capacity for this driver. */
  nodeAllocatableUpdatePeriodSeconds?: Int64 | undefined;
  /** podInfoOnMount indicates this CSI volume driver requires additional pod information (like podName, podUID, etc.) during mount operations, if set to true. */
  podInfoOnMount?: boolean | undefined;
  /** preventPodSchedulingIfMissing indicates that the CSI driver wants to prevent pod scheduling if the CSI driver on the node is missing. */
  preventPodSchedulingIfMissing?: boolean | undefined;
  /** requiresRepublish indicates the CSI driver wants `NodePublishVolume` being periodically called to reflect any possible change in the mounted volume. */
  requiresRepublish?: boolean | undefined;
  /** seLinuxMount specifies if the CSI driver supports "-o context" mount option. */
  seLinuxMount?: boolean | undefined;
  /** serviceAccountTokenInSecrets is an opt-in for CSI drivers to indicate that service account tokens should be passed via the Secrets field in NodePublishVolumeRequest instead of the VolumeContext field. */
  serviceAccountTokenInSecrets?: boolean | undefined;
  /** storageCapacity indicates that the CSI volume driver wants pod scheduling to consider the storage capacity that the driver deployment will report by creating CSIStorageCapacity objects with capacity information, if set to true. */
  storageCapacity?: boolean | undefined;
  /** tokenRequests indicates the CSI driver needs pods' service account tokens it is mounting volume for to do necessary authentication. */
  tokenRequests?: TokenRequest[] | undefined;
  /** volumeLifecycleModes defines what kind of volumes this CSI volume driver supports. */
  volumeLifecycleModes?: string[] | undefined;
}

/** CSINode holds information about all CSI drivers installed on a node. */
export interface CSINode extends KubeObject<'storage.k8s.io/v1', 'CSINode'> {
  /** spec is the specification of CSINode */
  spec: CSINodeSpec;
  /** status contains health and status information for the node's storage. */
  status?: CSINodeStatus | undefined;
}
export const CSINode: Resource<CSINode> = /* @__PURE__ */ externalResource<CSINode>({ group: 'storage.k8s.io', version: 'v1', kind: 'CSINode', plural: 'csinodes', scope: 'Cluster' });

/** CSINodeDriver holds information about the specification of one CSI driver installed on a node */
export interface CSINodeDriver {
  /** allocatable represents the volume resources of a node that are available for scheduling. */
  allocatable?: VolumeNodeResources | undefined;
  /** name represents the name of the CSI driver that this object refers to. */
  name: string;
  /** nodeID of the node from the driver point of view. */
  nodeID: string;
  /** topologyKeys is the list of keys supported by the driver. */
  topologyKeys?: string[] | undefined;
}

/** CSINodeSpec holds information about the specification of all CSI drivers installed on a node */
export interface CSINodeSpec {
  /** drivers is a list of information of all CSI Drivers existing on a node. */
  drivers: CSINodeDriver[];
}

/** CSINodeStatus contains health and status information for storage on a node. */
export interface CSINodeStatus {
  /** storageHealth contains backend health reports for CSI drivers registered on the node. */
  storageHealth?: StorageHealth[] | undefined;
}

/** CSIStorageCapacity stores the result of one CSI GetCapacity call. */
export interface CSIStorageCapacity extends KubeObject<'storage.k8s.io/v1', 'CSIStorageCapacity'> {
  /** capacity is the value reported by the CSI driver in its GetCapacityResponse for a GetCapacityRequest with topology and parameters that match the previous fields. */
  capacity?: Quantity | undefined;
  /** maximumVolumeSize is the value reported by the CSI driver in its GetCapacityResponse for a GetCapacityRequest with topology and parameters that match the previous fields. */
  maximumVolumeSize?: Quantity | undefined;
  /** nodeTopology defines which nodes have access to the storage for which capacity was reported. */
  nodeTopology?: meta_v1.LabelSelector | undefined;
  /** storageClassName represents the name of the StorageClass that the reported capacity applies to. */
  storageClassName: string;
}
export const CSIStorageCapacity: Resource<CSIStorageCapacity> = /* @__PURE__ */ externalResource<CSIStorageCapacity>({ group: 'storage.k8s.io', version: 'v1', kind: 'CSIStorageCapacity', plural: 'csistoragecapacities', scope: 'Namespaced' });

/** StorageClass describes the parameters for a class of storage for which PersistentVolumes can be dynamically provisioned. */
export interface StorageClass extends KubeObject<'storage.k8s.io/v1', 'StorageClass'> {
  /** allowVolumeExpansion shows whether the storage class allow volume expand. */
  allowVolumeExpansion?: boolean | undefined;
  /** allowedTopologies restrict the node topologies where volumes can be dynamically provisioned. */
  allowedTopologies?: core_v1.TopologySelectorTerm[] | undefined;
  /** mountOptions controls the mountOptions for dynamically provisioned PersistentVolumes of this storage class. */
  mountOptions?: string[] | undefined;
  /** parameters holds the parameters for the provisioner that should create volumes of this storage class. */
  parameters?: Record<string, string> | undefined;
  /** provisioner indicates the type of the provisioner. */
  provisioner: string;
  /** reclaimPolicy controls the reclaimPolicy for dynamically provisioned PersistentVolumes of this storage class. */
  reclaimPolicy?: 'Delete' | 'Recycle' | 'Retain' | undefined;
  /** volumeBindingMode indicates how PersistentVolumeClaims should be provisioned and bound. */
  volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer' | undefined;
}
export const StorageClass: Resource<StorageClass> = /* @__PURE__ */ externalResource<StorageClass>({ group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass', plural: 'storageclasses', scope: 'Cluster' });

/** StorageHealth contains storage backend health reported by a CSI driver on a node. */
export interface StorageHealth {
  /** healthConditions are the adverse storage backend conditions reported by the CSI driver. */
  healthConditions?: StorageHealthCondition[] | undefined;
  /** name is the CSI driver name, matching CSINodeDriver.name. */
  name: string;
}

/** StorageHealthCondition represents an adverse health condition reported by a CSI driver for its storage backend on a node. */
export interface StorageHealthCondition {
  /** accessMode is the access mode affected. */
  accessMode?: 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod' | undefined;
  /** lastTransitionTime is when this condition first appeared at its current state. */
  lastTransitionTime?: DateTime | undefined;
  /** message is a human-readable description. */
  message?: string | undefined;
  /** reason is a brief CamelCase machine-parseable reason. */
  reason: string;
  /** status is the health status category. */
  status: 'StorageDegraded' | 'StorageUnreachable';
  /** volumeMode is the volume mode affected. */
  volumeMode?: 'Block' | 'Filesystem' | undefined;
}

/** TokenRequest contains parameters of a service account token. */
export interface TokenRequest {
  /** audience is the intended audience of the token in "TokenRequestSpec". */
  audience: string;
  /** expirationSeconds is the duration of validity of the token in "TokenRequestSpec". */
  expirationSeconds?: Int64 | undefined;
}

/** VolumeAttachment captures the intent to attach or detach the specified volume to/from the specified node. */
export interface VolumeAttachment extends KubeObject<'storage.k8s.io/v1', 'VolumeAttachment'> {
  /** spec represents specification of the desired attach/detach volume behavior. */
  spec: VolumeAttachmentSpec;
  /** status represents status of the VolumeAttachment request. */
  status?: VolumeAttachmentStatus | undefined;
}
export const VolumeAttachment: Resource<VolumeAttachment> = /* @__PURE__ */ externalResource<VolumeAttachment>({ group: 'storage.k8s.io', version: 'v1', kind: 'VolumeAttachment', plural: 'volumeattachments', scope: 'Cluster' });

/** VolumeAttachmentSource represents a volume that should be attached. */
export interface VolumeAttachmentSource {
  /** inlineVolumeSpec contains all the information necessary to attach a persistent volume defined by a pod's inline VolumeSource. */
  inlineVolumeSpec?: core_v1.PersistentVolumeSpec | undefined;
  /** persistentVolumeName represents the name of the persistent volume to attach. */
  persistentVolumeName?: string | undefined;
}

/** VolumeAttachmentSpec is the specification of a VolumeAttachment request. */
export interface VolumeAttachmentSpec {
  /** attacher indicates the name of the volume driver that MUST handle this request. */
  attacher: string;
  /** nodeName represents the node that the volume should be attached to. */
  nodeName: string;
  /** source represents the volume that should be attached. */
  source: VolumeAttachmentSource;
}

/** VolumeAttachmentStatus is the status of a VolumeAttachment request. */
export interface VolumeAttachmentStatus {
  /** attachError represents the last error encountered during attach operation, if any. */
  attachError?: VolumeError | undefined;
  /** attached indicates the volume is successfully attached. */
  attached: boolean;
  /** attachmentMetadata is populated with any information returned by the attach operation, upon successful attach, that must be passed into subsequent WaitForAttach or Mount calls. */
  attachmentMetadata?: Record<string, string> | undefined;
  /** detachError represents the last error encountered during detach operation, if any. */
  detachError?: VolumeError | undefined;
}

/** VolumeAttributesClass represents a specification of mutable volume attributes defined by the CSI driver. */
export interface VolumeAttributesClass extends KubeObject<'storage.k8s.io/v1', 'VolumeAttributesClass'> {
  /** driverName is the name of the CSI driver This field is immutable. */
  driverName: string;
  /** parameters hold volume attributes defined by the CSI driver. */
  parameters?: Record<string, string> | undefined;
}
export const VolumeAttributesClass: Resource<VolumeAttributesClass> = /* @__PURE__ */ externalResource<VolumeAttributesClass>({ group: 'storage.k8s.io', version: 'v1', kind: 'VolumeAttributesClass', plural: 'volumeattributesclasses', scope: 'Cluster' });

/** VolumeError captures an error encountered during a volume operation. */
export interface VolumeError {
  /** errorCode is a numeric gRPC code representing the error encountered during Attach or Detach operations. */
  errorCode?: Int32 | undefined;
  /** message represents the error encountered during Attach or Detach operation. */
  message?: string | undefined;
  /** time represents the time the error was encountered. */
  time?: DateTime | undefined;
}

/** VolumeNodeResources is a set of resource limits for scheduling of volumes. */
export interface VolumeNodeResources {
  /** count indicates the maximum number of unique volumes managed by the CSI driver that can be used on a node. */
  count?: Int32 | undefined;
}
