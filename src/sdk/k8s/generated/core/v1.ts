// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as meta_v1 from '../meta/v1.ts';
import type { Condition, KubeObject, ObjectMeta } from '../../../api/meta.ts';
import type { Base64, DateTime, Int32, Int64, IntOrString, Quantity } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** Represents a Persistent Disk resource in AWS. */
export interface AWSElasticBlockStoreVolumeSource {
  /** fsType is the filesystem type of the volume that you want to mount. */
  fsType?: string | undefined;
  /** partition is the partition in the volume that you want to mount. */
  partition?: Int32 | undefined;
  /** readOnly value true will force the readOnly setting in VolumeMounts. */
  readOnly?: boolean | undefined;
  /** volumeID is unique ID of the persistent disk resource in AWS (Amazon EBS volume). */
  volumeID: string;
}

/** Affinity is a group of affinity scheduling rules. */
export interface Affinity {
  /** Describes node affinity scheduling rules for the pod. */
  nodeAffinity?: NodeAffinity | undefined;
  /** Describes pod affinity scheduling rules (e.g. co-locate this pod in the same node, zone, etc. as some other pod(s)). */
  podAffinity?: PodAffinity | undefined;
  /** Describes pod anti-affinity scheduling rules (e.g. avoid putting this pod in the same node, zone, etc. as some other pod(s)). */
  podAntiAffinity?: PodAntiAffinity | undefined;
}

/** AppArmorProfile defines a pod or container's AppArmor settings. */
export interface AppArmorProfile {
  /** localhostProfile indicates a profile loaded on the node that should be used. */
  localhostProfile?: string | undefined;
  /** type indicates which kind of AppArmor profile will be applied. */
  type: 'Localhost' | 'RuntimeDefault' | 'Unconfined';
}

/** AttachedVolume describes a volume attached to a node */
export interface AttachedVolume {
  /** DevicePath represents the device path where the volume should be available */
  devicePath: string;
  /** Name of the attached volume */
  name: string;
}

/** AzureDisk represents an Azure Data Disk mount on the host and bind mount to the pod. */
export interface AzureDiskVolumeSource {
  /** cachingMode is the Host Caching mode: None, Read Only, Read Write. */
  cachingMode?: 'None' | 'ReadOnly' | 'ReadWrite' | undefined;
  /** diskName is the Name of the data disk in the blob storage */
  diskName: string;
  /** diskURI is the URI of data disk in the blob storage */
  diskURI: string;
  /** fsType is Filesystem type to mount. */
  fsType?: string | undefined;
  /** kind expected values are Shared: multiple blob disks per storage account Dedicated: single blob disk per storage account Managed: azure managed data disk (only in managed availability set). */
  kind?: 'Dedicated' | 'Managed' | 'Shared' | undefined;
  /** readOnly Defaults to false (read/write). */
  readOnly?: boolean | undefined;
}

/** AzureFile represents an Azure File Service mount on the host and bind mount to the pod. */
export interface AzureFilePersistentVolumeSource {
  /** readOnly defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretName is the name of secret that contains Azure Storage Account Name and Key */
  secretName: string;
  /** secretNamespace is the namespace of the secret that contains Azure Storage Account Name and Key default is the same as the Pod */
  secretNamespace?: string | undefined;
  /** shareName is the azure Share Name */
  shareName: string;
}

/** AzureFile represents an Azure File Service mount on the host and bind mount to the pod. */
export interface AzureFileVolumeSource {
  /** readOnly defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretName is the name of secret that contains Azure Storage Account Name and Key */
  secretName: string;
  /** shareName is the azure share Name */
  shareName: string;
}

/** Binding ties one object to another; for example, a pod is bound to a node by a scheduler. */
export interface Binding extends KubeObject<'v1', 'Binding'> {
  /** The target object that you want to bind to the standard object. */
  target: ObjectReference;
}
export const Binding: Resource<Binding> = /* @__PURE__ */ externalResource<Binding>({ group: '', version: 'v1', kind: 'Binding', plural: 'bindings', scope: 'Namespaced' });

/** Represents storage that is managed by an external CSI volume driver */
export interface CSIPersistentVolumeSource {
  /** controllerExpandSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI ControllerExpandVolume call. */
  controllerExpandSecretRef?: SecretReference | undefined;
  /** controllerPublishSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI ControllerPublishVolume and ControllerUnpublishVolume calls. */
  controllerPublishSecretRef?: SecretReference | undefined;
  /** driver is the name of the driver to use for this volume. */
  driver: string;
  /** fsType to mount. */
  fsType?: string | undefined;
  /** nodeExpandSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI NodeExpandVolume call. */
  nodeExpandSecretRef?: SecretReference | undefined;
  /** nodePublishSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI NodePublishVolume and NodeUnpublishVolume calls. */
  nodePublishSecretRef?: SecretReference | undefined;
  /** nodeStageSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI NodeStageVolume and NodeStageVolume and NodeUnstageVolume calls. */
  nodeStageSecretRef?: SecretReference | undefined;
  /** readOnly value to pass to ControllerPublishVolumeRequest. */
  readOnly?: boolean | undefined;
  /** volumeAttributes of the volume to publish. */
  volumeAttributes?: Record<string, string> | undefined;
  /** volumeHandle is the unique volume name returned by the CSI volume plugin’s CreateVolume to refer to the volume on all subsequent calls. */
  volumeHandle: string;
}

/** Represents a source location of a volume to mount, managed by an external CSI driver */
export interface CSIVolumeSource {
  /** driver is the name of the CSI driver that handles this volume. */
  driver: string;
  /** fsType to mount. */
  fsType?: string | undefined;
  /** nodePublishSecretRef is a reference to the secret object containing sensitive information to pass to the CSI driver to complete the CSI NodePublishVolume and NodeUnpublishVolume calls. */
  nodePublishSecretRef?: LocalObjectReference | undefined;
  /** readOnly specifies a read-only configuration for the volume. */
  readOnly?: boolean | undefined;
  /** volumeAttributes stores driver-specific properties that are passed to the CSI driver. */
  volumeAttributes?: Record<string, string> | undefined;
}

/** Adds and removes POSIX capabilities from running containers. */
export interface Capabilities {
  /** Added capabilities */
  add?: string[] | undefined;
  /** Removed capabilities */
  drop?: string[] | undefined;
}

/** Represents a Ceph Filesystem mount that lasts the lifetime of a pod Cephfs volumes do not support ownership management or SELinux relabeling. */
export interface CephFSPersistentVolumeSource {
  /** monitors is Required: Monitors is a collection of Ceph monitors More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it */
  monitors: string[];
  /** path is Optional: Used as the mounted root, rather than the full Ceph tree, default is / */
  path?: string | undefined;
  /** readOnly is Optional: Defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretFile is Optional: SecretFile is the path to key ring for User, default is /etc/ceph/user.secret More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it */
  secretFile?: string | undefined;
  /** secretRef is Optional: SecretRef is reference to the authentication secret for User, default is empty. */
  secretRef?: SecretReference | undefined;
  /** user is Optional: User is the rados user name, default is admin More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it */
  user?: string | undefined;
}

/** Represents a Ceph Filesystem mount that lasts the lifetime of a pod Cephfs volumes do not support ownership management or SELinux relabeling. */
export interface CephFSVolumeSource {
  /** monitors is Required: Monitors is a collection of Ceph monitors More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it */
  monitors: string[];
  /** path is Optional: Used as the mounted root, rather than the full Ceph tree, default is / */
  path?: string | undefined;
  /** readOnly is Optional: Defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretFile is Optional: SecretFile is the path to key ring for User, default is /etc/ceph/user.secret More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it */
  secretFile?: string | undefined;
  /** secretRef is Optional: SecretRef is reference to the authentication secret for User, default is empty. */
  secretRef?: LocalObjectReference | undefined;
  /** user is optional: User is the rados user name, default is admin More info: https://examples.k8s.io/volumes/cephfs/README.md#how-to-use-it */
  user?: string | undefined;
}

/** Represents a cinder volume resource in Openstack. */
export interface CinderPersistentVolumeSource {
  /** fsType Filesystem type to mount. */
  fsType?: string | undefined;
  /** readOnly is Optional: Defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretRef is Optional: points to a secret object containing parameters used to connect to OpenStack. */
  secretRef?: SecretReference | undefined;
  /** volumeID used to identify the volume in cinder. */
  volumeID: string;
}

/** Represents a cinder volume resource in Openstack. */
export interface CinderVolumeSource {
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** readOnly defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretRef is optional: points to a secret object containing parameters used to connect to OpenStack. */
  secretRef?: LocalObjectReference | undefined;
  /** volumeID used to identify the volume in cinder. */
  volumeID: string;
}

/** ClientIPConfig represents the configurations of Client IP based session affinity. */
export interface ClientIPConfig {
  /** timeoutSeconds specifies the seconds of ClientIP type session sticky time. */
  timeoutSeconds?: Int32 | undefined;
}

/** ClusterTrustBundleProjection describes how to select a set of ClusterTrustBundle objects and project their contents into the pod filesystem. */
export interface ClusterTrustBundleProjection {
  /** Select all ClusterTrustBundles that match this label selector. */
  labelSelector?: meta_v1.LabelSelector | undefined;
  /** Select a single ClusterTrustBundle by object name. */
  name?: string | undefined;
  /** If true, don't block pod startup if the referenced ClusterTrustBundle(s) aren't available. */
  optional?: boolean | undefined;
  /** Relative path from the volume root to write the bundle. */
  path: string;
  /** Select all ClusterTrustBundles that match this signer name. */
  signerName?: string | undefined;
  /** user is Optional: The owner UID of the created file. */
  user?: Int64 | undefined;
}

/** Information about the condition of a component. */
export interface ComponentCondition {
  /** Condition error code for a component. */
  error?: string | undefined;
  /** Message about the condition for a component. */
  message?: string | undefined;
  /** Status of the condition for a component. */
  status: string;
  /** Type of condition for a component. */
  type: string;
}

/** ComponentStatus (and ComponentStatusList) holds the cluster validation info. @deprecated */
export interface ComponentStatus extends KubeObject<'v1', 'ComponentStatus'> {
  /** List of component conditions observed */
  conditions?: ComponentCondition[] | undefined;
}
export const ComponentStatus: Resource<ComponentStatus> = /* @__PURE__ */ externalResource<ComponentStatus>({ group: '', version: 'v1', kind: 'ComponentStatus', plural: 'componentstatuses', scope: 'Cluster' });

/** ConfigMap holds configuration data for pods to consume. */
export interface ConfigMap extends KubeObject<'v1', 'ConfigMap'> {
  /** BinaryData contains the binary data. */
  binaryData?: Record<string, Base64> | undefined;
  /** Data contains the configuration data. */
  data?: Record<string, string> | undefined;
  /** Immutable, if set to true, ensures that data stored in the ConfigMap cannot be updated (only object metadata can be modified). */
  immutable?: boolean | undefined;
}
export const ConfigMap: Resource<ConfigMap> = /* @__PURE__ */ externalResource<ConfigMap>({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' });

/** ConfigMapEnvSource selects a ConfigMap to populate the environment variables with. */
export interface ConfigMapEnvSource {
  /** Name of the referent. */
  name?: string | undefined;
  /** Specify whether the ConfigMap must be defined */
  optional?: boolean | undefined;
}

/** Selects a key from a ConfigMap. */
export interface ConfigMapKeySelector {
  /** The key to select from the ConfigMap's Data field. */
  key: string;
  /** Name of the referent. */
  name?: string | undefined;
  /** Specify whether the ConfigMap or its key must be defined */
  optional?: boolean | undefined;
}

/** ConfigMapNodeConfigSource contains the information to reference a ConfigMap as a config source for the Node. */
export interface ConfigMapNodeConfigSource {
  /** KubeletConfigKey declares which key of the referenced ConfigMap corresponds to the KubeletConfiguration structure This field is required in all cases. */
  kubeletConfigKey: string;
  /** Name is the metadata.name of the referenced ConfigMap. */
  name: string;
  /** Namespace is the metadata.namespace of the referenced ConfigMap. */
  namespace: string;
  /** ResourceVersion is the metadata.ResourceVersion of the referenced ConfigMap. */
  resourceVersion?: string | undefined;
  /** UID is the metadata.UID of the referenced ConfigMap. */
  uid?: string | undefined;
}

/** Adapts a ConfigMap into a projected volume. */
export interface ConfigMapProjection {
  /** items if unspecified, each key-value pair in the Data field of the referenced ConfigMap will be projected into the volume as a file whose name is the key and content is the value. */
  items?: KeyToPath[] | undefined;
  /** Name of the referent. */
  name?: string | undefined;
  /** optional specify whether the ConfigMap or its keys must be defined */
  optional?: boolean | undefined;
}

/** Adapts a ConfigMap into a volume. */
export interface ConfigMapVolumeSource {
  /** defaultMode is optional: mode bits used to set permissions on created files by default. */
  defaultMode?: Int32 | undefined;
  /** defaultUser is Optional: The owner UID of the created files by default. */
  defaultUser?: Int64 | undefined;
  /** items if unspecified, each key-value pair in the Data field of the referenced ConfigMap will be projected into the volume as a file whose name is the key and content is the value. */
  items?: KeyToPath[] | undefined;
  /** Name of the referent. */
  name?: string | undefined;
  /** optional specify whether the ConfigMap or its keys must be defined */
  optional?: boolean | undefined;
}

/** A single application container that you want to run within a pod. */
export interface Container {
  /** Arguments to the entrypoint. */
  args?: string[] | undefined;
  /** Entrypoint array. */
  command?: string[] | undefined;
  /** List of environment variables to set in the container. */
  env?: EnvVar[] | undefined;
  /** List of sources to populate environment variables in the container. */
  envFrom?: EnvFromSource[] | undefined;
  /** Container image name. */
  image?: string | undefined;
  /** Image pull policy. */
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  /** Actions that the management system should take in response to container lifecycle events. */
  lifecycle?: Lifecycle | undefined;
  /** Periodic probe of container liveness. */
  livenessProbe?: Probe | undefined;
  /** Name of the container specified as a DNS_LABEL. */
  name: string;
  /** List of ports to expose from the container. */
  ports?: ContainerPort[] | undefined;
  /** Periodic probe of container service readiness. */
  readinessProbe?: Probe | undefined;
  /** Resources resize policy for the container. */
  resizePolicy?: ContainerResizePolicy[] | undefined;
  /** Compute Resources required by this container. */
  resources?: ResourceRequirements | undefined;
  /** RestartPolicy defines the restart behavior of individual containers in a pod. */
  restartPolicy?: string | undefined;
  /** Represents a list of rules to be checked to determine if the container should be restarted on exit. */
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  /** SecurityContext defines the security options the container should be run with. */
  securityContext?: SecurityContext | undefined;
  /** StartupProbe indicates that the Pod has successfully initialized. */
  startupProbe?: Probe | undefined;
  /** Whether this container should allocate a buffer for stdin in the container runtime. */
  stdin?: boolean | undefined;
  /** Whether the container runtime should close the stdin channel after it has been opened by a single attach. */
  stdinOnce?: boolean | undefined;
  /** Optional: Path at which the file to which the container's termination message will be written is mounted into the container's filesystem. */
  terminationMessagePath?: string | undefined;
  /** Indicate how the termination message should be populated. */
  terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File' | undefined;
  /** Whether this container should allocate a TTY for itself, also requires 'stdin' to be true. */
  tty?: boolean | undefined;
  /** volumeDevices is the list of block devices to be used by the container. */
  volumeDevices?: VolumeDevice[] | undefined;
  /** Pod volumes to mount into the container's filesystem. */
  volumeMounts?: VolumeMount[] | undefined;
  /** Container's working directory. */
  workingDir?: string | undefined;
}

/** ContainerExtendedResourceRequest has the mapping of container name, extended resource name to the device request name. */
export interface ContainerExtendedResourceRequest {
  /** The name of the container requesting resources. */
  containerName: string;
  /** The name of the request in the special ResourceClaim which corresponds to the extended resource. */
  requestName: string;
  /** The name of the extended resource in that container which gets backed by DRA. */
  resourceName: string;
}

/** Describe a container image */
export interface ContainerImage {
  /** Names by which this image is known. */
  names?: string[] | undefined;
  /** The size of the image in bytes. */
  sizeBytes?: Int64 | undefined;
}

/** ContainerPort represents a network port in a single container. */
export interface ContainerPort {
  /** Number of port to expose on the pod's IP address. */
  containerPort: Int32;
  /** What host IP to bind the external port to. */
  hostIP?: string | undefined;
  /** Number of port to expose on the host. */
  hostPort?: Int32 | undefined;
  /** If specified, this must be an IANA_SVC_NAME and unique within the pod. */
  name?: string | undefined;
  /** Protocol for port. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
}

/** ContainerResizePolicy represents resource resize policy for the container. */
export interface ContainerResizePolicy {
  /** Name of the resource to which this resource resize policy applies. */
  resourceName: string;
  /** Restart policy to apply when specified resource is resized. */
  restartPolicy: string;
}

/** ContainerRestartRule describes how a container exit is handled. */
export interface ContainerRestartRule {
  /** Specifies the action taken on a container exit if the requirements are satisfied. */
  action: string;
  /** Represents the exit codes to check on container exits. */
  exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}

/** ContainerRestartRuleOnExitCodes describes the condition for handling an exited container based on its exit codes. */
export interface ContainerRestartRuleOnExitCodes {
  /** Represents the relationship between the container exit code(s) and the specified values. */
  operator: string;
  /** Specifies the set of values to check for container exit codes. */
  values?: Int32[] | undefined;
}

/** ContainerState holds a possible state of container. */
export interface ContainerState {
  /** Details about a running container */
  running?: ContainerStateRunning | undefined;
  /** Details about a terminated container */
  terminated?: ContainerStateTerminated | undefined;
  /** Details about a waiting container */
  waiting?: ContainerStateWaiting | undefined;
}

/** ContainerStateRunning is a running state of a container. */
export interface ContainerStateRunning {
  /** Time at which the container was last (re-)started */
  startedAt?: DateTime | undefined;
}

/** ContainerStateTerminated is a terminated state of a container. */
export interface ContainerStateTerminated {
  /** Container's ID in the format '<type>://<container_id>' */
  containerID?: string | undefined;
  /** Exit status from the last termination of the container */
  exitCode: Int32;
  /** Time at which the container last terminated */
  finishedAt?: DateTime | undefined;
  /** Message regarding the last termination of the container */
  message?: string | undefined;
  /** (brief) reason from the last termination of the container */
  reason?: string | undefined;
  /** Signal from the last termination of the container */
  signal?: Int32 | undefined;
  /** Time at which previous execution of the container started */
  startedAt?: DateTime | undefined;
}

/** ContainerStateWaiting is a waiting state of a container. */
export interface ContainerStateWaiting {
  /** Message regarding why the container is not yet running. */
  message?: string | undefined;
  /** (brief) reason the container is not yet running. */
  reason?: string | undefined;
}

/** ContainerStatus contains details for the current status of this container. */
export interface ContainerStatus {
  /** AllocatedResources represents the compute resources allocated for this container by the node. */
  allocatedResources?: Record<string, Quantity> | undefined;
  /** AllocatedResourcesStatus represents the status of various resources allocated for this Pod. */
  allocatedResourcesStatus?: ResourceStatus[] | undefined;
  /** ContainerID is the ID of the container in the format '<type>://<container_id>'. */
  containerID?: string | undefined;
  /** Image is the name of container image that the container is running. */
  image: string;
  /** ImageID is the image ID of the container's image. */
  imageID: string;
  /** LastTerminationState holds the last termination state of the container to help debug container crashes and restarts. */
  lastState?: ContainerState | undefined;
  /** Name is a DNS_LABEL representing the unique name of the container. */
  name: string;
  /** Ready specifies whether the container is currently passing its readiness check. */
  ready: boolean;
  /** Resources represents the compute resource requests and limits that have been successfully enacted on the running container after it has been started or has been successfully resized. */
  resources?: ResourceRequirements | undefined;
  /** RestartCount holds the number of times the container has been restarted. */
  restartCount: Int32;
  /** Started indicates whether the container has finished its postStart lifecycle hook and passed its startup probe. */
  started?: boolean | undefined;
  /** State holds details about the container's current condition. */
  state?: ContainerState | undefined;
  /** StopSignal reports the effective stop signal for this container */
  stopSignal?: 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGRTMAX' | 'SIGRTMAX-1' | 'SIGRTMAX-10' | 'SIGRTMAX-11' | 'SIGRTMAX-12' | 'SIGRTMAX-13' | 'SIGRTMAX-14' | 'SIGRTMAX-2' | 'SIGRTMAX-3' | 'SIGRTMAX-4' | 'SIGRTMAX-5' | 'SIGRTMAX-6' | 'SIGRTMAX-7' | 'SIGRTMAX-8' | 'SIGRTMAX-9' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ' | undefined;
  /** User represents user identity information initially attached to the first process of the container */
  user?: ContainerUser | undefined;
  /** Status of volume mounts. */
  volumeMounts?: VolumeMountStatus[] | undefined;
}

/** ContainerUser represents user identity information */
export interface ContainerUser {
  /** Linux holds user identity information initially attached to the first process of the containers in Linux. */
  linux?: LinuxContainerUser | undefined;
}

/** DaemonEndpoint contains information about a single Daemon endpoint. */
export interface DaemonEndpoint {
  /** Port number of the given endpoint. */
  Port: Int32;
}

/** Represents downward API info for projecting into a projected volume. */
export interface DownwardAPIProjection {
  /** Items is a list of DownwardAPIVolume file */
  items?: DownwardAPIVolumeFile[] | undefined;
}

/** DownwardAPIVolumeFile represents information to create the file containing the pod field */
export interface DownwardAPIVolumeFile {
  /** Required: Selects a field of the pod: only annotations, labels, name, namespace and uid are supported. */
  fieldRef?: ObjectFieldSelector | undefined;
  /** Optional: mode bits used to set permissions on this file, must be an octal value between 0000 and 0777 or a decimal value between 0 and 511. */
  mode?: Int32 | undefined;
  /** Required: Path is the relative path name of the file to be created. */
  path: string;
  /** Selects a resource of the container: only resources limits and requests (limits.cpu, limits.memory, requests.cpu and requests.memory) are currently supported. */
  resourceFieldRef?: ResourceFieldSelector | undefined;
  /** user is Optional: The owner UID of the created file. */
  user?: Int64 | undefined;
}

/** DownwardAPIVolumeSource represents a volume containing downward API info. */
export interface DownwardAPIVolumeSource {
  /** Optional: mode bits to use on created files by default. */
  defaultMode?: Int32 | undefined;
  /** defaultUser is Optional: The owner UID of the created files by default. */
  defaultUser?: Int64 | undefined;
  /** Items is a list of downward API volume file */
  items?: DownwardAPIVolumeFile[] | undefined;
}

/** Represents an empty directory for a pod. */
export interface EmptyDirVolumeSource {
  /** medium represents what type of storage medium should back this directory. */
  medium?: string | undefined;
  /** mode specifies the permission bits for the emptyDir directory, in numeric notation (e.g., 0755, 01777). */
  mode?: Int32 | undefined;
  /** sizeLimit is the total amount of local storage required for this EmptyDir volume. */
  sizeLimit?: Quantity | undefined;
}

/** EndpointAddress is a tuple that describes single IP address. @deprecated */
export interface EndpointAddress {
  /** The Hostname of this endpoint */
  hostname?: string | undefined;
  /** The IP of this endpoint. */
  ip: string;
  /** Optional: Node hosting this endpoint. */
  nodeName?: string | undefined;
  /** Reference to object providing the endpoint. */
  targetRef?: ObjectReference | undefined;
}

/** EndpointPort is a tuple that describes a single port. @deprecated */
export interface EndpointPort {
  /** The application protocol for this port. */
  appProtocol?: string | undefined;
  /** The name of this port. */
  name?: string | undefined;
  /** The port number of the endpoint. */
  port: Int32;
  /** The IP protocol for this port. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
}

/** EndpointSubset is a group of addresses with a common set of ports. @deprecated */
export interface EndpointSubset {
  /** IP addresses which offer the related ports that are marked as ready. */
  addresses?: EndpointAddress[] | undefined;
  /** IP addresses which offer the related ports but are not currently marked as ready because they have not yet finished starting, have recently failed a readiness check, or have recently failed a liveness check. */
  notReadyAddresses?: EndpointAddress[] | undefined;
  /** Port numbers available on the related IP addresses. */
  ports?: EndpointPort[] | undefined;
}

/** Endpoints is a collection of endpoints that implement the actual service. @deprecated */
export interface Endpoints extends KubeObject<'v1', 'Endpoints'> {
  /** The set of all endpoints is the union of all subsets. */
  subsets?: EndpointSubset[] | undefined;
}
export const Endpoints: Resource<Endpoints> = /* @__PURE__ */ externalResource<Endpoints>({ group: '', version: 'v1', kind: 'Endpoints', plural: 'endpoints', scope: 'Namespaced' });

/** EnvFromSource represents the source of a set of ConfigMaps or Secrets */
export interface EnvFromSource {
  /** The ConfigMap to select from */
  configMapRef?: ConfigMapEnvSource | undefined;
  /** Optional text to prepend to the name of each environment variable. */
  prefix?: string | undefined;
  /** The Secret to select from */
  secretRef?: SecretEnvSource | undefined;
}

/** EnvVar represents an environment variable present in a Container. */
export interface EnvVar {
  /** Name of the environment variable. */
  name: string;
  /** Variable references $(VAR_NAME) are expanded using the previously defined environment variables in the container and any service environment variables. */
  value?: string | undefined;
  /** Source for the environment variable's value. */
  valueFrom?: EnvVarSource | undefined;
}

/** EnvVarSource represents a source for the value of an EnvVar. */
export interface EnvVarSource {
  /** Selects a key of a ConfigMap. */
  configMapKeyRef?: ConfigMapKeySelector | undefined;
  /** Selects a field of the pod: supports metadata.name, metadata.namespace, `metadata.labels['<KEY>']`, `metadata.annotations['<KEY>']`, spec.nodeName, spec.serviceAccountName, status.hostIP, status.podIP, status.podIPs. */
  fieldRef?: ObjectFieldSelector | undefined;
  /** FileKeyRef selects a key of the env file. */
  fileKeyRef?: FileKeySelector | undefined;
  /** Selects a resource of the container: only resources limits and requests (limits.cpu, limits.memory, limits.ephemeral-storage, requests.cpu, requests.memory and requests.ephemeral-storage) are currently supported. */
  resourceFieldRef?: ResourceFieldSelector | undefined;
  /** Selects a key of a secret in the pod's namespace */
  secretKeyRef?: SecretKeySelector | undefined;
}

/** An EphemeralContainer is a temporary container that you may add to an existing Pod for user-initiated activities such as debugging. */
export interface EphemeralContainer {
  /** Arguments to the entrypoint. */
  args?: string[] | undefined;
  /** Entrypoint array. */
  command?: string[] | undefined;
  /** List of environment variables to set in the container. */
  env?: EnvVar[] | undefined;
  /** List of sources to populate environment variables in the container. */
  envFrom?: EnvFromSource[] | undefined;
  /** Container image name. */
  image?: string | undefined;
  /** Image pull policy. */
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  /** Lifecycle is not allowed for ephemeral containers. */
  lifecycle?: Lifecycle | undefined;
  /** Probes are not allowed for ephemeral containers. */
  livenessProbe?: Probe | undefined;
  /** Name of the ephemeral container specified as a DNS_LABEL. */
  name: string;
  /** Ports are not allowed for ephemeral containers. */
  ports?: ContainerPort[] | undefined;
  /** Probes are not allowed for ephemeral containers. */
  readinessProbe?: Probe | undefined;
  /** Resources resize policy for the container. */
  resizePolicy?: ContainerResizePolicy[] | undefined;
  /** Resources are not allowed for ephemeral containers. */
  resources?: ResourceRequirements | undefined;
  /** Restart policy for the container to manage the restart behavior of each container within a pod. */
  restartPolicy?: string | undefined;
  /** Represents a list of rules to be checked to determine if the container should be restarted on exit. */
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  /** Optional: SecurityContext defines the security options the ephemeral container should be run with. */
  securityContext?: SecurityContext | undefined;
  /** Probes are not allowed for ephemeral containers. */
  startupProbe?: Probe | undefined;
  /** Whether this container should allocate a buffer for stdin in the container runtime. */
  stdin?: boolean | undefined;
  /** Whether the container runtime should close the stdin channel after it has been opened by a single attach. */
  stdinOnce?: boolean | undefined;
  /** If set, the name of the container from PodSpec that this ephemeral container targets. */
  targetContainerName?: string | undefined;
  /** Optional: Path at which the file to which the container's termination message will be written is mounted into the container's filesystem. */
  terminationMessagePath?: string | undefined;
  /** Indicate how the termination message should be populated. */
  terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File' | undefined;
  /** Whether this container should allocate a TTY for itself, also requires 'stdin' to be true. */
  tty?: boolean | undefined;
  /** volumeDevices is the list of block devices to be used by the container. */
  volumeDevices?: VolumeDevice[] | undefined;
  /** Pod volumes to mount into the container's filesystem. */
  volumeMounts?: VolumeMount[] | undefined;
  /** Container's working directory. */
  workingDir?: string | undefined;
}

/** Represents an ephemeral volume that is handled by a normal storage driver. */
export interface EphemeralVolumeSource {
  /** Will be used to create a stand-alone PVC to provision the volume. */
  volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}

/** Event is a report of an event somewhere in the cluster. */
export interface Event extends KubeObject<'v1', 'Event'> {
  /** What action was taken/failed regarding to the Regarding object. */
  action?: string | undefined;
  /** The number of times this event has occurred. */
  count?: Int32 | undefined;
  /** Time when this Event was first observed. */
  eventTime?: DateTime | undefined;
  /** The time at which the event was first recorded. */
  firstTimestamp?: DateTime | undefined;
  /** The object that this event is about. */
  involvedObject: ObjectReference;
  /** The time at which the most recent occurrence of this event was recorded. */
  lastTimestamp?: DateTime | undefined;
  /** A human-readable description of the status of this operation. */
  message?: string | undefined;
  /** This should be a short, machine understandable string that gives the reason for the transition into the object's current status. */
  reason?: string | undefined;
  /** Optional secondary object for more complex actions. */
  related?: ObjectReference | undefined;
  /** Name of the controller that emitted this Event, e.g. `kubernetes.io/kubelet`. */
  reportingComponent?: string | undefined;
  /** ID of the controller instance, e.g. `kubelet-xyzf`. */
  reportingInstance?: string | undefined;
  /** Data about the Event series this event represents or nil if it's a singleton Event. */
  series?: EventSeries | undefined;
  /** The component reporting this event. */
  source?: EventSource | undefined;
  /** Type of this event (Normal, Warning), new types could be added in the future */
  type?: string | undefined;
}
export const Event: Resource<Event> = /* @__PURE__ */ externalResource<Event>({ group: '', version: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced' });

/** EventSeries contain information on series of events, i.e. thing that was/is happening continuously for some time. */
export interface EventSeries {
  /** Number of occurrences in this series up to the last heartbeat time */
  count?: Int32 | undefined;
  /** Time of the last occurrence observed */
  lastObservedTime?: DateTime | undefined;
}

/** EventSource contains information for an event. */
export interface EventSource {
  /** Component from which the event is generated. */
  component?: string | undefined;
  /** Node name on which the event is generated. */
  host?: string | undefined;
}

/** EvictionResponder allows you to specify the responder reacting to an Eviction. */
export interface EvictionResponder {
  /** name allows you to identify the responder responding to the Eviction. */
  name: string;
  /** priority for this responder. */
  priority: Int32;
}

/** ExecAction describes a "run in container" action. */
export interface ExecAction {
  /** Command is the command line to execute inside the container, the working directory for the command is root ('/') in the container's filesystem. */
  command?: string[] | undefined;
}

/** Represents a Fibre Channel volume. */
export interface FCVolumeSource {
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** lun is Optional: FC target lun number */
  lun?: Int32 | undefined;
  /** readOnly is Optional: Defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** targetWWNs is Optional: FC target worldwide names (WWNs) */
  targetWWNs?: string[] | undefined;
  /** wwids Optional: FC volume world wide identifiers (wwids) Either wwids or combination of targetWWNs and lun must be set, but not both simultaneously. */
  wwids?: string[] | undefined;
}

/** FileKeySelector selects a key of the env file. */
export interface FileKeySelector {
  /** The key within the env file. */
  key: string;
  /** Specify whether the file or its key must be defined. */
  optional?: boolean | undefined;
  /** The path within the volume from which to select the file. */
  path: string;
  /** The name of the volume mount containing the env file. */
  volumeName: string;
}

/** FlexPersistentVolumeSource represents a generic persistent volume resource that is provisioned/attached using an exec based plugin. */
export interface FlexPersistentVolumeSource {
  /** driver is the name of the driver to use for this volume. */
  driver: string;
  /** fsType is the Filesystem type to mount. */
  fsType?: string | undefined;
  /** options is Optional: this field holds extra command options if any. */
  options?: Record<string, string> | undefined;
  /** readOnly is Optional: defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretRef is Optional: SecretRef is reference to the secret object containing sensitive information to pass to the plugin scripts. */
  secretRef?: SecretReference | undefined;
}

/** FlexVolume represents a generic volume resource that is provisioned/attached using an exec based plugin. */
export interface FlexVolumeSource {
  /** driver is the name of the driver to use for this volume. */
  driver: string;
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** options is Optional: this field holds extra command options if any. */
  options?: Record<string, string> | undefined;
  /** readOnly is Optional: defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretRef is Optional: secretRef is reference to the secret object containing sensitive information to pass to the plugin scripts. */
  secretRef?: LocalObjectReference | undefined;
}

/** Represents a Flocker volume mounted by the Flocker agent. */
export interface FlockerVolumeSource {
  /** datasetName is Name of the dataset stored as metadata -> name on the dataset for Flocker should be considered as deprecated */
  datasetName?: string | undefined;
  /** datasetUUID is the UUID of the dataset. */
  datasetUUID?: string | undefined;
}

/** Represents a Persistent Disk resource in Google Compute Engine. */
export interface GCEPersistentDiskVolumeSource {
  /** fsType is filesystem type of the volume that you want to mount. */
  fsType?: string | undefined;
  /** partition is the partition in the volume that you want to mount. */
  partition?: Int32 | undefined;
  /** pdName is unique name of the PD resource in GCE. */
  pdName: string;
  /** readOnly here will force the ReadOnly setting in VolumeMounts. */
  readOnly?: boolean | undefined;
}

/** GRPCAction specifies an action involving a GRPC service. */
export interface GRPCAction {
  /** mode specifies the connection mode for the gRPC health probe. */
  mode?: 'Plaintext' | 'TLS' | undefined;
  /** Port number of the gRPC service. */
  port: Int32;
  /** Service is the name of the service to place in the gRPC HealthCheckRequest (see https://github.com/grpc/grpc/blob/master/doc/health-checking.md). */
  service?: string | undefined;
}

/** Represents a volume that is populated with the contents of a git repository. @deprecated */
export interface GitRepoVolumeSource {
  /** directory is the target directory name. */
  directory?: string | undefined;
  /** repository is the URL */
  repository: string;
  /** revision is the commit hash for the specified revision. */
  revision?: string | undefined;
}

/** Represents a Glusterfs mount that lasts the lifetime of a pod. */
export interface GlusterfsPersistentVolumeSource {
  /** endpoints is the endpoint name that details Glusterfs topology. */
  endpoints: string;
  /** endpointsNamespace is the namespace that contains Glusterfs endpoint. */
  endpointsNamespace?: string | undefined;
  /** path is the Glusterfs volume path. */
  path: string;
  /** readOnly here will force the Glusterfs volume to be mounted with read-only permissions. */
  readOnly?: boolean | undefined;
}

/** Represents a Glusterfs mount that lasts the lifetime of a pod. */
export interface GlusterfsVolumeSource {
  /** endpoints is the endpoint name that details Glusterfs topology. */
  endpoints: string;
  /** path is the Glusterfs volume path. */
  path: string;
  /** readOnly here will force the Glusterfs volume to be mounted with read-only permissions. */
  readOnly?: boolean | undefined;
}

/** HTTPGetAction describes an action based on HTTP Get requests. */
export interface HTTPGetAction {
  /** Host name to connect to, defaults to the pod IP. */
  host?: string | undefined;
  /** Custom headers to set in the request. */
  httpHeaders?: HTTPHeader[] | undefined;
  /** Path to access on the HTTP server. */
  path?: string | undefined;
  /** Name or number of the port to access on the container. */
  port: IntOrString;
  /** Protocol selects the wire protocol for the probe connection. */
  protocol?: 'HTTP1' | 'HTTP2' | undefined;
  /** Scheme to use for connecting to the host. */
  scheme?: 'HTTP' | 'HTTPS' | undefined;
}

/** HTTPHeader describes a custom header to be used in HTTP probes */
export interface HTTPHeader {
  /** The header field name. */
  name: string;
  /** The header field value */
  value: string;
}

/** HostAlias holds the mapping between IP and hostnames that will be injected as an entry in the pod's hosts file. */
export interface HostAlias {
  /** Hostnames for the above IP address. */
  hostnames?: string[] | undefined;
  /** IP address of the host file entry. */
  ip: string;
}

/** HostIP represents a single IP address allocated to the host. */
export interface HostIP {
  /** IP is the IP address assigned to the host */
  ip: string;
}

/** Represents a host path mapped into a pod. */
export interface HostPathVolumeSource {
  /** path of the directory on the host. */
  path: string;
  /** type for HostPath Volume Defaults to "" More info: https://kubernetes.io/docs/concepts/storage/volumes#hostpath */
  type?: '' | 'BlockDevice' | 'CharDevice' | 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate' | 'Socket' | undefined;
}

/** ISCSIPersistentVolumeSource represents an ISCSI disk. */
export interface ISCSIPersistentVolumeSource {
  /** chapAuthDiscovery defines whether support iSCSI Discovery CHAP authentication */
  chapAuthDiscovery?: boolean | undefined;
  /** chapAuthSession defines whether support iSCSI Session CHAP authentication */
  chapAuthSession?: boolean | undefined;
  /** fsType is the filesystem type of the volume that you want to mount. */
  fsType?: string | undefined;
  /** initiatorName is the custom iSCSI Initiator Name. */
  initiatorName?: string | undefined;
  /** iqn is Target iSCSI Qualified Name. */
  iqn: string;
  /** iscsiInterface is the interface Name that uses an iSCSI transport. */
  iscsiInterface?: string | undefined;
  /** lun is iSCSI Target Lun number. */
  lun: Int32;
  /** portals is the iSCSI Target Portal List. */
  portals?: string[] | undefined;
  /** readOnly here will force the ReadOnly setting in VolumeMounts. */
  readOnly?: boolean | undefined;
  /** secretRef is the CHAP Secret for iSCSI target and initiator authentication */
  secretRef?: SecretReference | undefined;
  /** targetPortal is iSCSI Target Portal. */
  targetPortal: string;
}

/** Represents an ISCSI disk. */
export interface ISCSIVolumeSource {
  /** chapAuthDiscovery defines whether support iSCSI Discovery CHAP authentication */
  chapAuthDiscovery?: boolean | undefined;
  /** chapAuthSession defines whether support iSCSI Session CHAP authentication */
  chapAuthSession?: boolean | undefined;
  /** fsType is the filesystem type of the volume that you want to mount. */
  fsType?: string | undefined;
  /** initiatorName is the custom iSCSI Initiator Name. */
  initiatorName?: string | undefined;
  /** iqn is the target iSCSI Qualified Name. */
  iqn: string;
  /** iscsiInterface is the interface Name that uses an iSCSI transport. */
  iscsiInterface?: string | undefined;
  /** lun represents iSCSI Target Lun number. */
  lun: Int32;
  /** portals is the iSCSI Target Portal List. */
  portals?: string[] | undefined;
  /** readOnly here will force the ReadOnly setting in VolumeMounts. */
  readOnly?: boolean | undefined;
  /** secretRef is the CHAP Secret for iSCSI target and initiator authentication */
  secretRef?: LocalObjectReference | undefined;
  /** targetPortal is iSCSI Target Portal. */
  targetPortal: string;
}

/** ImageVolumeSource represents a image volume resource. */
export interface ImageVolumeSource {
  /** Policy for pulling OCI objects. */
  pullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  /** Required: Image or artifact reference to be used. */
  reference?: string | undefined;
}

/** ImageVolumeStatus represents the image-based volume status. */
export interface ImageVolumeStatus {
  /** ImageRef is the digest of the image used for this volume. */
  imageRef: string;
}

/** Maps a string key to a path within a volume. */
export interface KeyToPath {
  /** key is the key to project. */
  key: string;
  /** mode is Optional: mode bits used to set permissions on this file. */
  mode?: Int32 | undefined;
  /** path is the relative path of the file to map the key to. */
  path: string;
  /** user is Optional: The owner UID of the created file. */
  user?: Int64 | undefined;
}

/** Lifecycle describes actions that the management system should take in response to container lifecycle events. */
export interface Lifecycle {
  /** PostStart is called immediately after a container is created. */
  postStart?: LifecycleHandler | undefined;
  /** PreStop is called immediately before a container is terminated due to an API request or management event such as liveness/startup probe failure, preemption, resource contention, etc. The handler is not called if the container crashes or … */
  preStop?: LifecycleHandler | undefined;
  /** StopSignal defines which signal will be sent to a container when it is being stopped. */
  stopSignal?: 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGRTMAX' | 'SIGRTMAX-1' | 'SIGRTMAX-10' | 'SIGRTMAX-11' | 'SIGRTMAX-12' | 'SIGRTMAX-13' | 'SIGRTMAX-14' | 'SIGRTMAX-2' | 'SIGRTMAX-3' | 'SIGRTMAX-4' | 'SIGRTMAX-5' | 'SIGRTMAX-6' | 'SIGRTMAX-7' | 'SIGRTMAX-8' | 'SIGRTMAX-9' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ' | undefined;
}

/** LifecycleHandler defines a specific action that should be taken in a lifecycle hook. */
export interface LifecycleHandler {
  /** Exec specifies a command to execute in the container. */
  exec?: ExecAction | undefined;
  /** HTTPGet specifies an HTTP GET request to perform. */
  httpGet?: HTTPGetAction | undefined;
  /** Sleep represents a duration that the container should sleep. */
  sleep?: SleepAction | undefined;
  /** Deprecated. @deprecated */
  tcpSocket?: TCPSocketAction | undefined;
}

/** LimitRange sets resource usage limits for each kind of resource in a Namespace. */
export interface LimitRange extends KubeObject<'v1', 'LimitRange'> {
  /** Spec defines the limits enforced. */
  spec?: LimitRangeSpec | undefined;
}
export const LimitRange: Resource<LimitRange> = /* @__PURE__ */ externalResource<LimitRange>({ group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges', scope: 'Namespaced' });

/** LimitRangeItem defines a min/max usage limit for any resource that matches on kind. */
export interface LimitRangeItem {
  /** Default resource requirement limit value by resource name if resource limit is omitted. */
  default?: Record<string, Quantity> | undefined;
  /** DefaultRequest is the default resource requirement request value by resource name if resource request is omitted. */
  defaultRequest?: Record<string, Quantity> | undefined;
  /** Max usage constraints on this kind by resource name. */
  max?: Record<string, Quantity> | undefined;
  /** MaxLimitRequestRatio if specified, the named resource must have a request and limit that are both non-zero where limit divided by request is less than or equal to the enumerated value; this represents the max burst for the named resource. */
  maxLimitRequestRatio?: Record<string, Quantity> | undefined;
  /** Min usage constraints on this kind by resource name. */
  min?: Record<string, Quantity> | undefined;
  /** Type of resource that this limit applies to. */
  type: string;
}

/** LimitRangeSpec defines a min/max usage limit for resources that match on kind. */
export interface LimitRangeSpec {
  /** Limits is the list of LimitRangeItem objects that are enforced. */
  limits: LimitRangeItem[];
}

/** LinuxContainerUser represents user identity information in Linux containers */
export interface LinuxContainerUser {
  /** GID is the primary gid initially attached to the first process in the container */
  gid: Int64;
  /** SupplementalGroups are the supplemental groups initially attached to the first process in the container */
  supplementalGroups?: Int64[] | undefined;
  /** UID is the primary uid initially attached to the first process in the container */
  uid: Int64;
}

/** LoadBalancerIngress represents the status of a load-balancer ingress point: traffic intended for the service should be sent to an ingress point. */
export interface LoadBalancerIngress {
  /** Hostname is set for load-balancer ingress points that are DNS based (typically AWS load-balancers) */
  hostname?: string | undefined;
  /** IP is set for load-balancer ingress points that are IP based (typically GCE or OpenStack load-balancers) */
  ip?: string | undefined;
  /** IPMode specifies how the load-balancer IP behaves, and may only be specified when the ip field is specified. */
  ipMode?: string | undefined;
  /** Ports is a list of records of service ports If used, every port defined in the service should have an entry in it */
  ports?: PortStatus[] | undefined;
}

/** LoadBalancerStatus represents the status of a load-balancer. */
export interface LoadBalancerStatus {
  /** Ingress is a list containing ingress points for the load-balancer. */
  ingress?: LoadBalancerIngress[] | undefined;
}

/** LocalObjectReference contains enough information to let you locate the referenced object inside the same namespace. */
export interface LocalObjectReference {
  /** Name of the referent. */
  name?: string | undefined;
}

/** Local represents directly-attached storage with node affinity */
export interface LocalVolumeSource {
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** path of the full path to the volume on the node. */
  path: string;
}

/** ModifyVolumeStatus represents the status object of ControllerModifyVolume operation */
export interface ModifyVolumeStatus {
  /** status is the status of the ControllerModifyVolume operation. */
  status: 'InProgress' | 'Infeasible' | 'Pending';
  /** targetVolumeAttributesClassName is the name of the VolumeAttributesClass the PVC currently being reconciled */
  targetVolumeAttributesClassName?: string | undefined;
}

/** Represents an NFS mount that lasts the lifetime of a pod. */
export interface NFSVolumeSource {
  /** path that is exported by the NFS server. */
  path: string;
  /** readOnly here will force the NFS export to be mounted with read-only permissions. */
  readOnly?: boolean | undefined;
  /** server is the hostname or IP address of the NFS server. */
  server: string;
}

/** Namespace provides a scope for Names. */
export interface Namespace extends KubeObject<'v1', 'Namespace'> {
  /** Spec defines the behavior of the Namespace. */
  spec?: NamespaceSpec | undefined;
  /** Status describes the current status of a Namespace. */
  status?: NamespaceStatus | undefined;
}
export const Namespace: Resource<Namespace> = /* @__PURE__ */ externalResource<Namespace>({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' });

/** NamespaceCondition contains details about state of namespace. */
export interface NamespaceCondition {
  /** Last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** Human-readable message indicating details about last transition. */
  message?: string | undefined;
  /** Unique, one-word, CamelCase reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status of the condition, one of True, False, Unknown. */
  status: string;
  /** Type of namespace controller condition. */
  type: string;
}

/** NamespaceSpec describes the attributes on a Namespace. */
export interface NamespaceSpec {
  /** Finalizers is an opaque list of values that must be empty to permanently remove object from storage. */
  finalizers?: string[] | undefined;
}

/** NamespaceStatus is information about the current status of a Namespace. */
export interface NamespaceStatus {
  /** Represents the latest available observations of a namespace's current state. */
  conditions?: NamespaceCondition[] | undefined;
  /** Phase is the current lifecycle phase of the namespace. */
  phase?: 'Active' | 'Terminating' | undefined;
}

/** Node is a worker node in Kubernetes. */
export interface Node extends KubeObject<'v1', 'Node'> {
  /** Spec defines the behavior of a node. */
  spec?: NodeSpec | undefined;
  /** Most recently observed status of the node. */
  status?: NodeStatus | undefined;
}
export const Node: Resource<Node> = /* @__PURE__ */ externalResource<Node>({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });

/** NodeAddress contains information for the node's address. */
export interface NodeAddress {
  /** The node address. */
  address: string;
  /** Node address type, one of Hostname, ExternalIP or InternalIP. */
  type: string;
}

/** Node affinity is a group of node affinity scheduling rules. */
export interface NodeAffinity {
  /** The scheduler will prefer to schedule pods to nodes that satisfy the affinity expressions specified by this field, but it may choose a node that violates one or more of the expressions. */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[] | undefined;
  /** If the affinity requirements specified by this field are not met at scheduling time, the pod will not be scheduled onto the node. */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
}

/** NodeAllocatableMappedResources describes mapped node allocatable resource allocations. */
export interface NodeAllocatableMappedResources {
  /** Name is the name of the resource (e.g., cpu, memory). */
  name: string;
  /** Quantity is the total node allocatable resource capacity allocated for the claim. */
  quantity: Quantity;
}

/** NodeAllocatableOverheadResources describes auxiliary overhead resource allocations. */
export interface NodeAllocatableOverheadResources {
  /** Name is the name of the resource (e.g., cpu, memory). */
  name: string;
  /** PerContainer is the variable overhead quantity applied for each container referencing the claim. */
  perContainer?: Quantity | undefined;
  /** PerPod is the flat overhead quantity allocated per pod. */
  perPod?: Quantity | undefined;
}

/** NodeAllocatableResourceClaimStatus describes the status of node allocatable resources allocated via DRA. */
export interface NodeAllocatableResourceClaimStatus {
  /** Containers lists the names of all containers in this pod that reference the claim. */
  containers?: string[] | undefined;
  /** Mapping contains allocations through devices mapped in the device spec's `nodeAllocatableResources[...].mapping` field. */
  mapping?: NodeAllocatableMappedResources[] | undefined;
  /** Overhead contains allocations through devices mapped in the device spec's `nodeAllocatableResources[...].overhead` field. */
  overhead?: NodeAllocatableOverheadResources[] | undefined;
  /** ResourceClaimName is the resource claim referenced by the pod that resulted in this node allocatable resource allocation. */
  resourceClaimName: string;
}

/** NodeCondition contains condition information for a node. */
export interface NodeCondition {
  /** Last time we got an update on a given condition. */
  lastHeartbeatTime?: DateTime | undefined;
  /** Last time the condition transit from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** Human readable message indicating details about last transition. */
  message?: string | undefined;
  /** (brief) reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status of the condition, one of True, False, Unknown. */
  status: string;
  /** Type of node condition. */
  type: string;
}

/** NodeConfigSource specifies a source of node configuration. */
export interface NodeConfigSource {
  /** ConfigMap is a reference to a Node's ConfigMap */
  configMap?: ConfigMapNodeConfigSource | undefined;
}

/** NodeConfigStatus describes the status of the config assigned by Node.Spec.ConfigSource. */
export interface NodeConfigStatus {
  /** Active reports the checkpointed config the node is actively using. */
  active?: NodeConfigSource | undefined;
  /** Assigned reports the checkpointed config the node will try to use. */
  assigned?: NodeConfigSource | undefined;
  /** Error describes any problems reconciling the Spec.ConfigSource to the Active config. */
  error?: string | undefined;
  /** LastKnownGood reports the checkpointed config the node will fall back to when it encounters an error attempting to use the Assigned config. */
  lastKnownGood?: NodeConfigSource | undefined;
}

/** NodeDaemonEndpoints lists ports opened by daemons running on the Node. */
export interface NodeDaemonEndpoints {
  /** Endpoint on which Kubelet is listening. */
  kubeletEndpoint?: DaemonEndpoint | undefined;
}

/** NodeFeatures describes the set of features implemented by the CRI implementation. */
export interface NodeFeatures {
  /** SupplementalGroupsPolicy is set to true if the runtime supports SupplementalGroupsPolicy and ContainerUser. */
  supplementalGroupsPolicy?: boolean | undefined;
}

/** NodePodPreemptionPolicy defines the node-level policies governing preemption for pods on this node. */
export interface NodePodPreemptionPolicy {
  /** DisableResizePreemption lists the owners (e.g., autoscalers, operators, administrators) that have requested to disable scheduler and Kubelet preemption for in-place pod resize on this node. */
  disableResizePreemption?: string[] | undefined;
}

/** NodeRuntimeHandler is a set of runtime handler information. */
export interface NodeRuntimeHandler {
  /** Supported features. */
  features?: NodeRuntimeHandlerFeatures | undefined;
  /** Runtime handler name. */
  name?: string | undefined;
}

/** NodeRuntimeHandlerFeatures is a set of features implemented by the runtime handler. */
export interface NodeRuntimeHandlerFeatures {
  /** RecursiveReadOnlyMounts is set to true if the runtime handler supports RecursiveReadOnlyMounts. */
  recursiveReadOnlyMounts?: boolean | undefined;
  /** UserNamespaces is set to true if the runtime handler supports UserNamespaces, including for volumes. */
  userNamespaces?: boolean | undefined;
}

/** A node selector represents the union of the results of one or more label queries over a set of nodes; that is, it represents the OR of the selectors represented by the node selector terms. */
export interface NodeSelector {
  /** Required. */
  nodeSelectorTerms: NodeSelectorTerm[];
}

/** A node selector requirement is a selector that contains values, a key, and an operator that relates the key and values. */
export interface NodeSelectorRequirement {
  /** The label key that the selector applies to. */
  key: string;
  /** Represents a key's relationship to a set of values. */
  operator: 'DoesNotExist' | 'Exists' | 'Gt' | 'In' | 'Lt' | 'NotIn';
  /** An array of string values. */
  values?: string[] | undefined;
}

/** A null or empty node selector term matches no objects. */
export interface NodeSelectorTerm {
  /** A list of node selector requirements by node's labels. */
  matchExpressions?: NodeSelectorRequirement[] | undefined;
  /** A list of node selector requirements by node's fields. */
  matchFields?: NodeSelectorRequirement[] | undefined;
}

/** NodeSpec describes the attributes that a node is created with. */
export interface NodeSpec {
  /** Deprecated: Previously used to specify the source of the node's configuration for the DynamicKubeletConfig feature. @deprecated */
  configSource?: NodeConfigSource | undefined;
  /** Deprecated. @deprecated */
  externalID?: string | undefined;
  /** PodCIDR represents the pod IP range assigned to the node. */
  podCIDR?: string | undefined;
  /** podCIDRs represents the IP ranges assigned to the node for usage by Pods on that node. */
  podCIDRs?: string[] | undefined;
  /** PodPreemptionPolicy controls the node-level preemption behaviors for pods on this node. */
  podPreemptionPolicy?: NodePodPreemptionPolicy | undefined;
  /** ID of the node assigned by the cloud provider in the format: <ProviderName>://<ProviderSpecificNodeID> */
  providerID?: string | undefined;
  /** If specified, the node's taints. */
  taints?: Taint[] | undefined;
  /** Unschedulable controls node schedulability of new pods. */
  unschedulable?: boolean | undefined;
}

/** NodeStatus is information about the current status of a node. */
export interface NodeStatus {
  /** List of addresses reachable to the node. */
  addresses?: NodeAddress[] | undefined;
  /** Allocatable represents the resources of a node that are available for scheduling. */
  allocatable?: Record<string, Quantity> | undefined;
  /** Capacity represents the total resources of a node. */
  capacity?: Record<string, Quantity> | undefined;
  /** Conditions is an array of current observed node conditions. */
  conditions?: NodeCondition[] | undefined;
  /** Status of the config assigned to the node via the dynamic Kubelet config feature. */
  config?: NodeConfigStatus | undefined;
  /** Endpoints of daemons running on the Node. */
  daemonEndpoints?: NodeDaemonEndpoints | undefined;
  /** DeclaredFeatures represents the features related to feature gates that are declared by the node. */
  declaredFeatures?: string[] | undefined;
  /** Features describes the set of features implemented by the CRI implementation. */
  features?: NodeFeatures | undefined;
  /** List of container images on this node */
  images?: ContainerImage[] | undefined;
  /** Set of ids/uuids to uniquely identify the node. */
  nodeInfo?: NodeSystemInfo | undefined;
  /** NodePhase is the recently observed lifecycle phase of the node. */
  phase?: 'Pending' | 'Running' | 'Terminated' | undefined;
  /** The available runtime handlers. */
  runtimeHandlers?: NodeRuntimeHandler[] | undefined;
  /** List of volumes that are attached to the node. */
  volumesAttached?: AttachedVolume[] | undefined;
  /** List of attachable volumes in use (mounted) by the node. */
  volumesInUse?: string[] | undefined;
}

/** NodeSwapStatus represents swap memory information. */
export interface NodeSwapStatus {
  /** Total amount of swap memory in bytes. */
  capacity?: Int64 | undefined;
}

/** NodeSystemInfo is a set of ids/uuids to uniquely identify the node. */
export interface NodeSystemInfo {
  /** The Architecture reported by the node */
  architecture: string;
  /** Boot ID reported by the node. */
  bootID: string;
  /** ContainerRuntime Version reported by the node through runtime remote API (e.g. containerd://1.4.2). */
  containerRuntimeVersion: string;
  /** Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64). */
  kernelVersion: string;
  /** Deprecated: KubeProxy Version reported by the node. @deprecated */
  kubeProxyVersion: string;
  /** Kubelet Version reported by the node. */
  kubeletVersion: string;
  /** MachineID reported by the node. */
  machineID: string;
  /** The Operating System reported by the node */
  operatingSystem: string;
  /** OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy)). */
  osImage: string;
  /** Whether the node is running in a user namespace. */
  runningInUserNamespace?: boolean | undefined;
  /** Swap Info reported by the node. */
  swap?: NodeSwapStatus | undefined;
  /** SystemUUID reported by the node. */
  systemUUID: string;
}

/** ObjectFieldSelector selects an APIVersioned field of an object. */
export interface ObjectFieldSelector {
  /** Version of the schema the FieldPath is written in terms of, defaults to "v1". */
  apiVersion?: string | undefined;
  /** Path of the field to select in the specified API version. */
  fieldPath: string;
}

/** ObjectReference contains enough information to let you inspect or modify the referred object. */
export interface ObjectReference {
  /** API version of the referent. */
  apiVersion?: string | undefined;
  /** If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. */
  fieldPath?: string | undefined;
  /** Kind of the referent. */
  kind?: string | undefined;
  /** Name of the referent. */
  name?: string | undefined;
  /** Namespace of the referent. */
  namespace?: string | undefined;
  /** Specific resourceVersion to which this reference is made, if any. */
  resourceVersion?: string | undefined;
  /** UID of the referent. */
  uid?: string | undefined;
}

/** PersistentVolume (PV) is a storage resource provisioned by an administrator. */
export interface PersistentVolume extends KubeObject<'v1', 'PersistentVolume'> {
  /** spec defines a specification of a persistent volume owned by the cluster. */
  spec?: PersistentVolumeSpec | undefined;
  /** status represents the current information/status for the persistent volume. */
  status?: PersistentVolumeStatus | undefined;
}
export const PersistentVolume: Resource<PersistentVolume> = /* @__PURE__ */ externalResource<PersistentVolume>({ group: '', version: 'v1', kind: 'PersistentVolume', plural: 'persistentvolumes', scope: 'Cluster' });

/** PersistentVolumeClaim is a user's request for and claim to a persistent volume */
export interface PersistentVolumeClaim extends KubeObject<'v1', 'PersistentVolumeClaim'> {
  /** spec defines the desired characteristics of a volume requested by a pod author. */
  spec?: PersistentVolumeClaimSpec | undefined;
  /** status represents the current information/status of a persistent volume claim. */
  status?: PersistentVolumeClaimStatus | undefined;
}
export const PersistentVolumeClaim: Resource<PersistentVolumeClaim> = /* @__PURE__ */ externalResource<PersistentVolumeClaim>({ group: '', version: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', scope: 'Namespaced' });

/** PersistentVolumeClaimCondition contains details about state of pvc */
export interface PersistentVolumeClaimCondition {
  /** lastProbeTime is the time we probed the condition. */
  lastProbeTime?: DateTime | undefined;
  /** lastTransitionTime is the time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** message is the human-readable message indicating details about last transition. */
  message?: string | undefined;
  /** reason is a unique, this should be a short, machine understandable string that gives the reason for condition's last transition. */
  reason?: string | undefined;
  /** Status is the status of the condition. */
  status: string;
  /** Type is the type of the condition. */
  type: string;
}

/** PersistentVolumeClaimSpec describes the common attributes of storage devices and allows a Source for provider-specific attributes */
export interface PersistentVolumeClaimSpec {
  /** accessModes contains the desired access modes the volume should have. */
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[] | undefined;
  /** dataSource field can be used to specify either: * An existing VolumeSnapshot object (snapshot.storage.k8s.io/VolumeSnapshot) * An existing PVC (PersistentVolumeClaim) If the provisioner or an external controller can support the specified … */
  dataSource?: TypedLocalObjectReference | undefined;
  /** dataSourceRef specifies the object from which to populate the volume with data, if a non-empty volume is desired. */
  dataSourceRef?: TypedObjectReference | undefined;
  /** resources represents the minimum resources the volume should have. */
  resources?: VolumeResourceRequirements | undefined;
  /** selector is a label query over volumes to consider for binding. */
  selector?: meta_v1.LabelSelector | undefined;
  /** storageClassName is the name of the StorageClass required by the claim. */
  storageClassName?: string | undefined;
  /** volumeAttributesClassName may be used to set the VolumeAttributesClass used by this claim. */
  volumeAttributesClassName?: string | undefined;
  /** volumeMode defines what type of volume is required by the claim. */
  volumeMode?: 'Block' | 'Filesystem' | undefined;
  /** volumeName is the binding reference to the PersistentVolume backing this claim. */
  volumeName?: string | undefined;
}

/** PersistentVolumeClaimStatus is the current status of a persistent volume claim. */
export interface PersistentVolumeClaimStatus {
  /** accessModes contains the actual access modes the volume backing the PVC has. */
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[] | undefined;
  /** allocatedResourceStatuses stores status of resource being resized for the given PVC. */
  allocatedResourceStatuses?: Record<string, 'ControllerResizeInProgress' | 'ControllerResizeInfeasible' | 'NodeResizeInProgress' | 'NodeResizeInfeasible' | 'NodeResizePending'> | undefined;
  /** allocatedResources tracks the resources allocated to a PVC including its capacity. */
  allocatedResources?: Record<string, Quantity> | undefined;
  /** capacity represents the actual resources of the underlying volume. */
  capacity?: Record<string, Quantity> | undefined;
  /** conditions is the current Condition of persistent volume claim. */
  conditions?: PersistentVolumeClaimCondition[] | undefined;
  /** currentVolumeAttributesClassName is the current name of the VolumeAttributesClass the PVC is using. */
  currentVolumeAttributesClassName?: string | undefined;
  /** healthStatus contains the latest controller-reported health information for the volume bound to this claim. */
  healthStatus?: VolumeHealthStatus | undefined;
  /** ModifyVolumeStatus represents the status object of ControllerModifyVolume operation. */
  modifyVolumeStatus?: ModifyVolumeStatus | undefined;
  /** phase represents the current phase of PersistentVolumeClaim. */
  phase?: 'Bound' | 'Lost' | 'Pending' | undefined;
}

/** PersistentVolumeClaimTemplate is used to produce PersistentVolumeClaim objects as part of an EphemeralVolumeSource. */
export interface PersistentVolumeClaimTemplate {
  /** May contain labels and annotations that will be copied into the PVC when creating it. */
  metadata?: ObjectMeta | undefined;
  /** The specification for the PersistentVolumeClaim. */
  spec: PersistentVolumeClaimSpec;
}

/** PersistentVolumeClaimVolumeSource references the user's PVC in the same namespace. */
export interface PersistentVolumeClaimVolumeSource {
  /** claimName is the name of a PersistentVolumeClaim in the same namespace as the pod using this volume. */
  claimName: string;
  /** readOnly Will force the ReadOnly setting in VolumeMounts. */
  readOnly?: boolean | undefined;
}

/** PersistentVolumeSpec is the specification of a persistent volume. */
export interface PersistentVolumeSpec {
  /** accessModes contains all ways the volume can be mounted. */
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[] | undefined;
  /** awsElasticBlockStore represents an AWS Disk resource that is attached to a kubelet's host machine and then exposed to the pod. @deprecated */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  /** azureDisk represents an Azure Data Disk mount on the host and bind mount to the pod. @deprecated */
  azureDisk?: AzureDiskVolumeSource | undefined;
  /** azureFile represents an Azure File Service mount on the host and bind mount to the pod. @deprecated */
  azureFile?: AzureFilePersistentVolumeSource | undefined;
  /** capacity is the description of the persistent volume's resources and capacity. */
  capacity?: Record<string, Quantity> | undefined;
  /** cephFS represents a Ceph FS mount on the host that shares a pod's lifetime. @deprecated */
  cephfs?: CephFSPersistentVolumeSource | undefined;
  /** cinder represents a cinder volume attached and mounted on kubelets host machine. @deprecated */
  cinder?: CinderPersistentVolumeSource | undefined;
  /** claimRef is part of a bi-directional binding between PersistentVolume and PersistentVolumeClaim. */
  claimRef?: ObjectReference | undefined;
  /** csi represents storage that is handled by an external CSI driver. */
  csi?: CSIPersistentVolumeSource | undefined;
  /** fc represents a Fibre Channel resource that is attached to a kubelet's host machine and then exposed to the pod. */
  fc?: FCVolumeSource | undefined;
  /** flexVolume represents a generic volume resource that is provisioned/attached using an exec based plugin. @deprecated */
  flexVolume?: FlexPersistentVolumeSource | undefined;
  /** flocker represents a Flocker volume attached to a kubelet's host machine and exposed to the pod for its usage. @deprecated */
  flocker?: FlockerVolumeSource | undefined;
  /** gcePersistentDisk represents a GCE Disk resource that is attached to a kubelet's host machine and then exposed to the pod. @deprecated */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  /** glusterfs represents a Glusterfs volume that is attached to a host and exposed to the pod. @deprecated */
  glusterfs?: GlusterfsPersistentVolumeSource | undefined;
  /** hostPath represents a directory on the host. */
  hostPath?: HostPathVolumeSource | undefined;
  /** iscsi represents an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod. */
  iscsi?: ISCSIPersistentVolumeSource | undefined;
  /** local represents directly-attached storage with node affinity */
  local?: LocalVolumeSource | undefined;
  /** mountOptions is the list of mount options, e.g. ["ro", "soft"]. */
  mountOptions?: string[] | undefined;
  /** nfs represents an NFS mount on the host. */
  nfs?: NFSVolumeSource | undefined;
  /** nodeAffinity defines constraints that limit what nodes this volume can be accessed from. */
  nodeAffinity?: VolumeNodeAffinity | undefined;
  /** persistentVolumeReclaimPolicy defines what happens to a persistent volume when released from its claim. */
  persistentVolumeReclaimPolicy?: 'Delete' | 'Recycle' | 'Retain' | undefined;
  /** photonPersistentDisk represents a PhotonController persistent disk attached and mounted on kubelets host machine. @deprecated */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  /** portworxVolume represents a portworx volume attached and mounted on kubelets host machine. @deprecated */
  portworxVolume?: PortworxVolumeSource | undefined;
  /** quobyte represents a Quobyte mount on the host that shares a pod's lifetime. @deprecated */
  quobyte?: QuobyteVolumeSource | undefined;
  /** rbd represents a Rados Block Device mount on the host that shares a pod's lifetime. @deprecated */
  rbd?: RBDPersistentVolumeSource | undefined;
  /** scaleIO represents a ScaleIO persistent volume attached and mounted on Kubernetes nodes. @deprecated */
  scaleIO?: ScaleIOPersistentVolumeSource | undefined;
  /** storageClassName is the name of StorageClass to which this persistent volume belongs. */
  storageClassName?: string | undefined;
  /** storageOS represents a StorageOS volume that is attached to the kubelet's host machine and mounted into the pod. @deprecated */
  storageos?: StorageOSPersistentVolumeSource | undefined;
  /** Name of VolumeAttributesClass to which this persistent volume belongs. */
  volumeAttributesClassName?: string | undefined;
  /** volumeMode defines if a volume is intended to be used with a formatted filesystem or to remain in raw block state. */
  volumeMode?: 'Block' | 'Filesystem' | undefined;
  /** vsphereVolume represents a vSphere volume attached and mounted on kubelets host machine. @deprecated */
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}

/** PersistentVolumeStatus is the current status of a persistent volume. */
export interface PersistentVolumeStatus {
  /** lastPhaseTransitionTime is the time the phase transitioned from one to another and automatically resets to current time everytime a volume phase transitions. */
  lastPhaseTransitionTime?: DateTime | undefined;
  /** message is a human-readable message indicating details about why the volume is in this state. */
  message?: string | undefined;
  /** phase indicates if a volume is available, bound to a claim, or released by a claim. */
  phase?: 'Available' | 'Bound' | 'Failed' | 'Pending' | 'Released' | undefined;
  /** reason is a brief CamelCase string that describes any failure and is meant for machine parsing and tidy display in the CLI. */
  reason?: string | undefined;
}

/** Represents a Photon Controller persistent disk resource. */
export interface PhotonPersistentDiskVolumeSource {
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** pdID is the ID that identifies Photon Controller persistent disk */
  pdID: string;
}

/** Pod is a collection of containers that can run on a host. */
export interface Pod extends KubeObject<'v1', 'Pod'> {
  /** Specification of the desired behavior of the pod. */
  spec?: PodSpec | undefined;
  /** Most recently observed status of the pod. */
  status?: PodStatus | undefined;
}
export const Pod: Resource<Pod> = /* @__PURE__ */ externalResource<Pod>({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });

/** Pod affinity is a group of inter pod affinity scheduling rules. */
export interface PodAffinity {
  /** The scheduler will prefer to schedule pods to nodes that satisfy the affinity expressions specified by this field, but it may choose a node that violates one or more of the expressions. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
  /** If the affinity requirements specified by this field are not met at scheduling time, the pod will not be scheduled onto the node. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
}

/** Defines a set of pods (namely those matching the labelSelector relative to the given namespace(s)) that this pod should be co-located (affinity) or not co-located (anti-affinity) with, where co-located is defined as running on a node whose … */
export interface PodAffinityTerm {
  /** A label query over a set of resources, in this case pods. */
  labelSelector?: meta_v1.LabelSelector | undefined;
  /** MatchLabelKeys is a set of pod label keys to select which pods will be taken into consideration. */
  matchLabelKeys?: string[] | undefined;
  /** MismatchLabelKeys is a set of pod label keys to select which pods will be taken into consideration. */
  mismatchLabelKeys?: string[] | undefined;
  /** A label query over the set of namespaces that the term applies to. */
  namespaceSelector?: meta_v1.LabelSelector | undefined;
  /** namespaces specifies a static list of namespace names that the term applies to. */
  namespaces?: string[] | undefined;
  /** This pod should be co-located (affinity) or not co-located (anti-affinity) with the pods matching the labelSelector in the specified namespaces, where co-located is defined as running on a node whose value of the label with key topologyKey … */
  topologyKey: string;
}

/** Pod anti affinity is a group of inter pod anti affinity scheduling rules. */
export interface PodAntiAffinity {
  /** The scheduler will prefer to schedule pods to nodes that satisfy the anti-affinity expressions specified by this field, but it may choose a node that violates one or more of the expressions. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
  /** If the anti-affinity requirements specified by this field are not met at scheduling time, the pod will not be scheduled onto the node. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
}

/** PodCertificateProjection provides a private key and X.509 certificate in the pod filesystem. */
export interface PodCertificateProjection {
  /** Write the certificate chain at this path in the projected volume. */
  certificateChainPath?: string | undefined;
  /** Write the credential bundle at this path in the projected volume. */
  credentialBundlePath?: string | undefined;
  /** Write the key at this path in the projected volume. */
  keyPath?: string | undefined;
  /** The type of keypair Kubelet will generate for the pod. */
  keyType: string;
  /** maxExpirationSeconds is the maximum lifetime permitted for the certificate. */
  maxExpirationSeconds?: Int32 | undefined;
  /** Kubelet's generated CSRs will be addressed to this signer. */
  signerName: string;
  /** user is Optional: The owner UID of the created file. */
  user?: Int64 | undefined;
  /** userAnnotations allow pod authors to pass additional information to the signer implementation. */
  userAnnotations?: Record<string, string> | undefined;
}

/** PodCondition contains details for the current condition of this pod. */
export interface PodCondition {
  /** Last time we probed the condition. */
  lastProbeTime?: DateTime | undefined;
  /** Last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** Human-readable message indicating details about last transition. */
  message?: string | undefined;
  /** If set, this represents the .metadata.generation that the pod condition was set based upon. */
  observedGeneration?: Int64 | undefined;
  /** Unique, one-word, CamelCase reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status is the status of the condition. */
  status: string;
  /** Type is the type of the condition. */
  type: string;
}

/** PodDNSConfig defines the DNS parameters of a pod in addition to those generated from DNSPolicy. */
export interface PodDNSConfig {
  /** A list of DNS name server IP addresses. */
  nameservers?: string[] | undefined;
  /** A list of DNS resolver options. */
  options?: PodDNSConfigOption[] | undefined;
  /** A list of DNS search domains for host-name lookup. */
  searches?: string[] | undefined;
}

/** PodDNSConfigOption defines DNS resolver options of a pod. */
export interface PodDNSConfigOption {
  /** Name is this DNS resolver option's name. */
  name?: string | undefined;
  /** Value is this DNS resolver option's value. */
  value?: string | undefined;
}

/** PodExtendedResourceClaimStatus is stored in the PodStatus for the extended resource requests backed by DRA. */
export interface PodExtendedResourceClaimStatus {
  /** RequestMappings identifies the mapping of <container, extended resource backed by DRA> to device request in the generated ResourceClaim. */
  requestMappings: ContainerExtendedResourceRequest[];
  /** ResourceClaimName is the name of the ResourceClaim that was generated for the Pod in the namespace of the Pod. */
  resourceClaimName: string;
}

/** PodIP represents a single IP address allocated to the pod. */
export interface PodIP {
  /** IP is the IP address assigned to the pod */
  ip: string;
}

/** PodOS defines the OS parameters of a pod. */
export interface PodOS {
  /** Name is the name of the operating system. */
  name: string;
}

/** PodReadinessGate contains the reference to a pod condition */
export interface PodReadinessGate {
  /** ConditionType refers to a condition in the pod's condition list with matching type. */
  conditionType: string;
}

/** PodResourceClaim references exactly one ResourceClaim, either directly or by naming a ResourceClaimTemplate which is then turned into a ResourceClaim for the pod. */
export interface PodResourceClaim {
  /** Name uniquely identifies this resource claim inside the pod. */
  name: string;
  /** ResourceClaimName is the name of a ResourceClaim object in the same namespace as this pod. */
  resourceClaimName?: string | undefined;
  /** ResourceClaimTemplateName is the name of a ResourceClaimTemplate object in the same namespace as this pod. */
  resourceClaimTemplateName?: string | undefined;
}

/** PodResourceClaimStatus is stored in the PodStatus for each PodResourceClaim which references a ResourceClaimTemplate. */
export interface PodResourceClaimStatus {
  /** Name uniquely identifies this resource claim inside the pod. */
  name: string;
  /** ResourceClaimName is the name of the ResourceClaim that was generated for the Pod in the namespace of the Pod. */
  resourceClaimName?: string | undefined;
}

/** PodSchedulingGate is associated to a Pod to guard its scheduling. */
export interface PodSchedulingGate {
  /** Name of the scheduling gate. */
  name: string;
}

/** PodSchedulingGroup identifies the runtime scheduling group instance that a Pod belongs to. */
export interface PodSchedulingGroup {
  /** PodGroupName specifies the name of the standalone PodGroup object that represents the runtime instance of this group. */
  podGroupName?: string | undefined;
}

/** PodSecurityContext holds pod-level security attributes and common container settings. */
export interface PodSecurityContext {
  /** appArmorProfile is the AppArmor options to use by the containers in this pod. */
  appArmorProfile?: AppArmorProfile | undefined;
  /** A special supplemental group that applies to all containers in a pod. */
  fsGroup?: Int64 | undefined;
  /** fsGroupChangePolicy defines behavior of changing ownership and permission of the volume before being exposed inside Pod. */
  fsGroupChangePolicy?: 'Always' | 'OnRootMismatch' | undefined;
  /** The GID to run the entrypoint of the container process. */
  runAsGroup?: Int64 | undefined;
  /** Indicates that the container must run as a non-root user. */
  runAsNonRoot?: boolean | undefined;
  /** The UID to run the entrypoint of the container process. */
  runAsUser?: Int64 | undefined;
  /** seLinuxChangePolicy defines how the container's SELinux label is applied to all volumes used by the Pod. */
  seLinuxChangePolicy?: string | undefined;
  /** The SELinux context to be applied to all containers. */
  seLinuxOptions?: SELinuxOptions | undefined;
  /** The seccomp options to use by the containers in this pod. */
  seccompProfile?: SeccompProfile | undefined;
  /** A list of groups applied to the first process run in each container, in addition to the container's primary GID and fsGroup (if specified). */
  supplementalGroups?: Int64[] | undefined;
  /** Defines how supplemental groups of the first container processes are calculated. */
  supplementalGroupsPolicy?: 'Merge' | 'Strict' | undefined;
  /** Sysctls hold a list of namespaced sysctls used for the pod. */
  sysctls?: Sysctl[] | undefined;
  /** The Windows specific settings applied to all containers. */
  windowsOptions?: WindowsSecurityContextOptions | undefined;
}

/** PodSpec is a description of a pod. */
export interface PodSpec {
  /** Optional duration in seconds the pod may be active on the node relative to StartTime before the system will actively try to mark it failed and kill associated containers. */
  activeDeadlineSeconds?: Int64 | undefined;
  /** If specified, the pod's scheduling constraints */
  affinity?: Affinity | undefined;
  /** AutomountServiceAccountToken indicates whether a service account token should be automatically mounted. */
  automountServiceAccountToken?: boolean | undefined;
  /** List of containers belonging to the pod. */
  containers: Container[];
  /** Specifies the DNS parameters of a pod. */
  dnsConfig?: PodDNSConfig | undefined;
  /** Set DNS policy for the pod. */
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None' | undefined;
  /** EnableServiceLinks indicates whether information about services should be injected into pod's environment variables, matching the syntax of Docker links. */
  enableServiceLinks?: boolean | undefined;
  /** List of ephemeral containers run in this pod. */
  ephemeralContainers?: EphemeralContainer[] | undefined;
  /** evictionResponders reference responders that react to Evictions based on EvictionRequests. */
  evictionResponders?: EvictionResponder[] | undefined;
  /** HostAliases is an optional list of hosts and IPs that will be injected into the pod's hosts file if specified. */
  hostAliases?: HostAlias[] | undefined;
  /** Use the host's ipc namespace. */
  hostIPC?: boolean | undefined;
  /** Host networking requested for this pod. */
  hostNetwork?: boolean | undefined;
  /** Use the host's pid namespace. */
  hostPID?: boolean | undefined;
  /** Use the host's user namespace. */
  hostUsers?: boolean | undefined;
  /** Specifies the hostname of the Pod If not specified, the pod's hostname will be set to a system-defined value. */
  hostname?: string | undefined;
  /** HostnameOverride specifies an explicit override for the pod's hostname as perceived by the pod. */
  hostnameOverride?: string | undefined;
  /** ImagePullSecrets is an optional list of references to secrets in the same namespace to use for pulling any of the images used by this PodSpec. */
  imagePullSecrets?: LocalObjectReference[] | undefined;
  /** List of initialization containers belonging to the pod. */
  initContainers?: Container[] | undefined;
  /** NodeName indicates in which node this pod is scheduled. */
  nodeName?: string | undefined;
  /** NodeSelector is a selector which must be true for the pod to fit on a node. */
  nodeSelector?: Record<string, string> | undefined;
  /** Specifies the OS of the containers in the pod. */
  os?: PodOS | undefined;
  /** Overhead represents the resource overhead associated with running a pod for a given RuntimeClass. */
  overhead?: Record<string, Quantity> | undefined;
  /** PreemptionPolicy is the Policy for preempting pods with lower priority. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
  /** The priority value. */
  priority?: Int32 | undefined;
  /** If specified, indicates the pod's priority. */
  priorityClassName?: string | undefined;
  /** If specified, all readiness gates will be evaluated for pod readiness. */
  readinessGates?: PodReadinessGate[] | undefined;
  /** ResourceClaims defines which ResourceClaims must be allocated and reserved before the Pod is allowed to start. */
  resourceClaims?: PodResourceClaim[] | undefined;
  /** Resources is the total amount of CPU and Memory resources required by all containers in the pod. */
  resources?: ResourceRequirements | undefined;
  /** Restart policy for all containers within the pod. */
  restartPolicy?: 'Always' | 'Never' | 'OnFailure' | undefined;
  /** RuntimeClassName refers to a RuntimeClass object in the node.k8s.io group, which should be used to run this pod. */
  runtimeClassName?: string | undefined;
  /** If specified, the pod will be dispatched by specified scheduler. */
  schedulerName?: string | undefined;
  /** SchedulingGates is an opaque list of values that if specified will block scheduling the pod. */
  schedulingGates?: PodSchedulingGate[] | undefined;
  /** SchedulingGroup provides a reference to the immediate scheduling runtime grouping object that this Pod belongs to. */
  schedulingGroup?: PodSchedulingGroup | undefined;
  /** SecurityContext holds pod-level security attributes and common container settings. */
  securityContext?: PodSecurityContext | undefined;
  /** DeprecatedServiceAccount is a deprecated alias for ServiceAccountName. @deprecated */
  serviceAccount?: string | undefined;
  /** ServiceAccountName is the name of the ServiceAccount to use to run this pod. */
  serviceAccountName?: string | undefined;
  /** If true the pod's hostname will be configured as the pod's FQDN, rather than the leaf name (the default). */
  setHostnameAsFQDN?: boolean | undefined;
  /** Share a single process namespace between all of the containers in a pod. */
  shareProcessNamespace?: boolean | undefined;
  /** If specified, the fully qualified Pod hostname will be "<hostname>.<subdomain>.<pod namespace>.svc.<cluster domain>". */
  subdomain?: string | undefined;
  /** Optional duration in seconds the pod needs to terminate gracefully. */
  terminationGracePeriodSeconds?: Int64 | undefined;
  /** If specified, the pod's tolerations. */
  tolerations?: Toleration[] | undefined;
  /** TopologySpreadConstraints describes how a group of pods ought to spread across topology domains. */
  topologySpreadConstraints?: TopologySpreadConstraint[] | undefined;
  /** List of volumes that can be mounted by containers belonging to the pod. */
  volumes?: Volume[] | undefined;
}

/** PodStatus represents information about the status of a pod. */
export interface PodStatus {
  /** AllocatedResources is the total requests allocated for this pod by the node. */
  allocatedResources?: Record<string, Quantity> | undefined;
  /** Current service state of pod. */
  conditions?: PodCondition[] | undefined;
  /** Statuses of containers in this pod. */
  containerStatuses?: ContainerStatus[] | undefined;
  /** Statuses for any ephemeral containers that have run in this pod. */
  ephemeralContainerStatuses?: ContainerStatus[] | undefined;
  /** Status of extended resource claim backed by DRA. */
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
  /** hostIP holds the IP address of the host to which the pod is assigned. */
  hostIP?: string | undefined;
  /** hostIPs holds the IP addresses allocated to the host. */
  hostIPs?: HostIP[] | undefined;
  /** Statuses of init containers in this pod. */
  initContainerStatuses?: ContainerStatus[] | undefined;
  /** A human readable message indicating details about why the pod is in this condition. */
  message?: string | undefined;
  /** NodeAllocatableResourceClaimStatuses contains the status of node-allocatable resources that were allocated for this pod through DRA claims. */
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[] | undefined;
  /** nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods. */
  nominatedNodeName?: string | undefined;
  /** If set, this represents the .metadata.generation that the pod status was set based upon. */
  observedGeneration?: Int64 | undefined;
  /** The phase of a Pod is a simple, high-level summary of where the Pod is in its lifecycle. */
  phase?: 'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown' | undefined;
  /** podIP address allocated to the pod. */
  podIP?: string | undefined;
  /** podIPs holds the IP addresses allocated to the pod. */
  podIPs?: PodIP[] | undefined;
  /** The Quality of Service (QOS) classification assigned to the pod based on resource requirements See PodQOSClass type for available QOS classes More info: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/#quality-of-service-classes */
  qosClass?: 'BestEffort' | 'Burstable' | 'Guaranteed' | undefined;
  /** A brief CamelCase message indicating details about why the pod is in this state. */
  reason?: string | undefined;
  /** Status of resources resize desired for pod's containers. */
  resize?: string | undefined;
  /** Status of resource claims. */
  resourceClaimStatuses?: PodResourceClaimStatus[] | undefined;
  /** Resources represents the compute resource requests and limits that have been applied at the pod level if pod-level requests or limits are set in PodSpec.Resources */
  resources?: ResourceRequirements | undefined;
  /** RFC 3339 date and time at which the object was acknowledged by the Kubelet. */
  startTime?: DateTime | undefined;
  /** volumeHealth contains node-reported health for each volume the pod is using. */
  volumeHealth?: PodVolumeHealth[] | undefined;
}

/** PodTemplate describes a template for creating copies of a predefined pod. */
export interface PodTemplate extends KubeObject<'v1', 'PodTemplate'> {
  /** Template defines the pods that will be created from this pod template. */
  template?: PodTemplateSpec | undefined;
}
export const PodTemplate: Resource<PodTemplate> = /* @__PURE__ */ externalResource<PodTemplate>({ group: '', version: 'v1', kind: 'PodTemplate', plural: 'podtemplates', scope: 'Namespaced' });

/** PodTemplateSpec describes the data a pod should have when created from a template */
export interface PodTemplateSpec {
  /** Standard object's metadata. */
  metadata?: ObjectMeta | undefined;
  /** Specification of the desired behavior of the pod. */
  spec?: PodSpec | undefined;
}

/** PodVolumeHealth contains health information for a volume used by a pod, reported by the CSI node plugin via the kubelet. */
export interface PodVolumeHealth {
  /** conditions is the set of adverse conditions reported by the CSI node plugin for this volume on this node. */
  healthConditions?: VolumeHealthCondition[] | undefined;
  /** lastTransitionTime is when the current set of conditions first appeared. */
  lastTransitionTime?: DateTime | undefined;
  /** name matches an entry in pod.spec.volumes. */
  name: string;
}

/** PortStatus represents the error condition of a service port */
export interface PortStatus {
  /** Error is to record the problem with the service port The format of the error shall comply with the following rules: - built-in error values shall be specified in this file and those shall use CamelCase names - cloud provider specific error … */
  error?: string | undefined;
  /** Port is the port number of the service port of which status is recorded here */
  port: Int32;
  /** Protocol is the protocol of the service port of which status is recorded here The supported values are: "TCP", "UDP", "SCTP" */
  protocol: 'SCTP' | 'TCP' | 'UDP';
}

/** PortworxVolumeSource represents a Portworx volume resource. */
export interface PortworxVolumeSource {
  /** fSType represents the filesystem type to mount Must be a filesystem type supported by the host operating system. */
  fsType?: string | undefined;
  /** readOnly defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** volumeID uniquely identifies a Portworx volume */
  volumeID: string;
}

/** An empty preferred scheduling term matches all objects with implicit weight 0 (i.e. it's a no-op). */
export interface PreferredSchedulingTerm {
  /** A node selector term, associated with the corresponding weight. */
  preference: NodeSelectorTerm;
  /** Weight associated with matching the corresponding nodeSelectorTerm, in the range 1-100. */
  weight: Int32;
}

/** Probe describes a health check to be performed against a container to determine whether it is alive or ready to receive traffic. */
export interface Probe {
  /** Exec specifies a command to execute in the container. */
  exec?: ExecAction | undefined;
  /** Minimum consecutive failures for the probe to be considered failed after having succeeded. */
  failureThreshold?: Int32 | undefined;
  /** GRPC specifies a GRPC HealthCheckRequest. */
  grpc?: GRPCAction | undefined;
  /** HTTPGet specifies an HTTP GET request to perform. */
  httpGet?: HTTPGetAction | undefined;
  /** Number of seconds after the container has started before liveness probes are initiated. */
  initialDelaySeconds?: Int32 | undefined;
  /** How often (in seconds) to perform the probe. */
  periodSeconds?: Int32 | undefined;
  /** Minimum consecutive successes for the probe to be considered successful after having failed. */
  successThreshold?: Int32 | undefined;
  /** TCPSocket specifies a connection to a TCP port. */
  tcpSocket?: TCPSocketAction | undefined;
  /** Optional duration in seconds the pod needs to terminate gracefully upon probe failure. */
  terminationGracePeriodSeconds?: Int64 | undefined;
  /** Number of seconds after which the probe times out. */
  timeoutSeconds?: Int32 | undefined;
}

/** Represents a projected volume source */
export interface ProjectedVolumeSource {
  /** defaultMode are the mode bits used to set permissions on created files by default. */
  defaultMode?: Int32 | undefined;
  /** defaultUser is Optional: The owner UID of the created files by default. */
  defaultUser?: Int64 | undefined;
  /** sources is the list of volume projections. */
  sources?: VolumeProjection[] | undefined;
}

/** Represents a Quobyte mount that lasts the lifetime of a pod. */
export interface QuobyteVolumeSource {
  /** group to map volume access to Default is no group */
  group?: string | undefined;
  /** readOnly here will force the Quobyte volume to be mounted with read-only permissions. */
  readOnly?: boolean | undefined;
  /** registry represents a single or multiple Quobyte Registry services specified as a string as host:port pair (multiple entries are separated with commas) which acts as the central registry for volumes */
  registry: string;
  /** tenant owning the given Quobyte volume in the Backend Used with dynamically provisioned Quobyte volumes, value is set by the plugin */
  tenant?: string | undefined;
  /** user to map volume access to Defaults to serivceaccount user */
  user?: string | undefined;
  /** volume is a string that references an already created Quobyte volume by name. */
  volume: string;
}

/** Represents a Rados Block Device mount that lasts the lifetime of a pod. */
export interface RBDPersistentVolumeSource {
  /** fsType is the filesystem type of the volume that you want to mount. */
  fsType?: string | undefined;
  /** image is the rados image name. */
  image: string;
  /** keyring is the path to key ring for RBDUser. */
  keyring?: string | undefined;
  /** monitors is a collection of Ceph monitors. */
  monitors: string[];
  /** pool is the rados pool name. */
  pool?: string | undefined;
  /** readOnly here will force the ReadOnly setting in VolumeMounts. */
  readOnly?: boolean | undefined;
  /** secretRef is name of the authentication secret for RBDUser. */
  secretRef?: SecretReference | undefined;
  /** user is the rados user name. */
  user?: string | undefined;
}

/** Represents a Rados Block Device mount that lasts the lifetime of a pod. */
export interface RBDVolumeSource {
  /** fsType is the filesystem type of the volume that you want to mount. */
  fsType?: string | undefined;
  /** image is the rados image name. */
  image: string;
  /** keyring is the path to key ring for RBDUser. */
  keyring?: string | undefined;
  /** monitors is a collection of Ceph monitors. */
  monitors: string[];
  /** pool is the rados pool name. */
  pool?: string | undefined;
  /** readOnly here will force the ReadOnly setting in VolumeMounts. */
  readOnly?: boolean | undefined;
  /** secretRef is name of the authentication secret for RBDUser. */
  secretRef?: LocalObjectReference | undefined;
  /** user is the rados user name. */
  user?: string | undefined;
}

/** ReplicationController represents the configuration of a replication controller. */
export interface ReplicationController extends KubeObject<'v1', 'ReplicationController'> {
  /** Spec defines the specification of the desired behavior of the replication controller. */
  spec?: ReplicationControllerSpec | undefined;
  /** Status is the most recently observed status of the replication controller. */
  status?: ReplicationControllerStatus | undefined;
}
export const ReplicationController: Resource<ReplicationController> = /* @__PURE__ */ externalResource<ReplicationController>({ group: '', version: 'v1', kind: 'ReplicationController', plural: 'replicationcontrollers', scope: 'Namespaced' });

/** ReplicationControllerCondition describes the state of a replication controller at a certain point. */
export interface ReplicationControllerCondition {
  /** The last time the condition transitioned from one status to another. */
  lastTransitionTime?: DateTime | undefined;
  /** A human readable message indicating details about the transition. */
  message?: string | undefined;
  /** The reason for the condition's last transition. */
  reason?: string | undefined;
  /** Status of the condition, one of True, False, Unknown. */
  status: string;
  /** Type of replication controller condition. */
  type: string;
}

/** ReplicationControllerSpec is the specification of a replication controller. */
export interface ReplicationControllerSpec {
  /** Minimum number of seconds for which a newly created pod should be ready without any of its container crashing, for it to be considered available. */
  minReadySeconds?: Int32 | undefined;
  /** Replicas is the number of desired replicas. */
  replicas?: Int32 | undefined;
  /** Selector is a label query over pods that should match the Replicas count. */
  selector?: Record<string, string> | undefined;
  /** Template is the object that describes the pod that will be created if insufficient replicas are detected. */
  template?: PodTemplateSpec | undefined;
}

/** ReplicationControllerStatus represents the current status of a replication controller. */
export interface ReplicationControllerStatus {
  /** The number of available replicas (ready for at least minReadySeconds) for this replication controller. */
  availableReplicas?: Int32 | undefined;
  /** Represents the latest available observations of a replication controller's current state. */
  conditions?: ReplicationControllerCondition[] | undefined;
  /** The number of pods that have labels matching the labels of the pod template of the replication controller. */
  fullyLabeledReplicas?: Int32 | undefined;
  /** ObservedGeneration reflects the generation of the most recently observed replication controller. */
  observedGeneration?: Int64 | undefined;
  /** The number of ready replicas for this replication controller. */
  readyReplicas?: Int32 | undefined;
  /** Replicas is the most recently observed number of replicas. */
  replicas: Int32;
}

/** ResourceClaim references one entry in PodSpec.ResourceClaims. */
export interface ResourceClaim {
  /** Name must match the name of one entry in pod.spec.resourceClaims of the Pod where this field is used. */
  name: string;
  /** Request is the name chosen for a request in the referenced claim. */
  request?: string | undefined;
}

/** ResourceFieldSelector represents container resources (cpu, memory) and their output format */
export interface ResourceFieldSelector {
  /** Container name: required for volumes, optional for env vars */
  containerName?: string | undefined;
  /** Specifies the output format of the exposed resources, defaults to "1" */
  divisor?: Quantity | undefined;
  /** Required: resource to select */
  resource: string;
}

/** ResourceHealth represents the health of a resource. */
export interface ResourceHealth {
  /** Health of the resource. */
  health?: string | undefined;
  /** Message provides human-readable context for Health (e.g. "ECC error count exceeded threshold"). */
  message?: string | undefined;
  /** ResourceID is the unique identifier of the resource. */
  resourceID: string;
}

/** ResourceQuota sets aggregate quota restrictions enforced per namespace */
export interface ResourceQuota extends KubeObject<'v1', 'ResourceQuota'> {
  /** Spec defines the desired quota. */
  spec?: ResourceQuotaSpec | undefined;
  /** Status defines the actual enforced quota and its current usage. */
  status?: ResourceQuotaStatus | undefined;
}
export const ResourceQuota: Resource<ResourceQuota> = /* @__PURE__ */ externalResource<ResourceQuota>({ group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', scope: 'Namespaced' });

/** ResourceQuotaSpec defines the desired hard limits to enforce for Quota. */
export interface ResourceQuotaSpec {
  /** hard is the set of desired hard limits for each named resource. */
  hard?: Record<string, Quantity> | undefined;
  /** scopeSelector is also a collection of filters like scopes that must match each object tracked by a quota but expressed using ScopeSelectorOperator in combination with possible values. */
  scopeSelector?: ScopeSelector | undefined;
  /** A collection of filters that must match each object tracked by a quota. */
  scopes?: ('BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating' | 'VolumeAttributesClass')[] | undefined;
}

/** ResourceQuotaStatus defines the enforced hard limits and observed use. */
export interface ResourceQuotaStatus {
  /** Hard is the set of enforced hard limits for each named resource. */
  hard?: Record<string, Quantity> | undefined;
  /** Used is the current observed total usage of the resource in the namespace. */
  used?: Record<string, Quantity> | undefined;
}

/** ResourceRequirements describes the compute resource requirements. */
export interface ResourceRequirements {
  /** Claims lists the names of resources, defined in spec.resourceClaims, that are used by this container. */
  claims?: ResourceClaim[] | undefined;
  /** Limits describes the maximum amount of compute resources allowed. */
  limits?: Record<string, Quantity> | undefined;
  /** Requests describes the minimum amount of compute resources required. */
  requests?: Record<string, Quantity> | undefined;
}

/** ResourceStatus represents the status of a single resource allocated to a Pod. */
export interface ResourceStatus {
  /** Name of the resource. */
  name: string;
  /** List of unique resources health. */
  resources?: ResourceHealth[] | undefined;
}

/** SELinuxOptions are the labels to be applied to the container */
export interface SELinuxOptions {
  /** Level is SELinux level label that applies to the container. */
  level?: string | undefined;
  /** Role is a SELinux role label that applies to the container. */
  role?: string | undefined;
  /** Type is a SELinux type label that applies to the container. */
  type?: string | undefined;
  /** User is a SELinux user label that applies to the container. */
  user?: string | undefined;
}

/** ScaleIOPersistentVolumeSource represents a persistent ScaleIO volume */
export interface ScaleIOPersistentVolumeSource {
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** gateway is the host address of the ScaleIO API Gateway. */
  gateway: string;
  /** protectionDomain is the name of the ScaleIO Protection Domain for the configured storage. */
  protectionDomain?: string | undefined;
  /** readOnly defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretRef references to the secret for ScaleIO user and other sensitive information. */
  secretRef: SecretReference;
  /** sslEnabled is the flag to enable/disable SSL communication with Gateway, default false */
  sslEnabled?: boolean | undefined;
  /** storageMode indicates whether the storage for a volume should be ThickProvisioned or ThinProvisioned. */
  storageMode?: string | undefined;
  /** storagePool is the ScaleIO Storage Pool associated with the protection domain. */
  storagePool?: string | undefined;
  /** system is the name of the storage system as configured in ScaleIO. */
  system: string;
  /** volumeName is the name of a volume already created in the ScaleIO system that is associated with this volume source. */
  volumeName?: string | undefined;
}

/** ScaleIOVolumeSource represents a persistent ScaleIO volume */
export interface ScaleIOVolumeSource {
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** gateway is the host address of the ScaleIO API Gateway. */
  gateway: string;
  /** protectionDomain is the name of the ScaleIO Protection Domain for the configured storage. */
  protectionDomain?: string | undefined;
  /** readOnly Defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretRef references to the secret for ScaleIO user and other sensitive information. */
  secretRef: LocalObjectReference;
  /** sslEnabled Flag enable/disable SSL communication with Gateway, default false */
  sslEnabled?: boolean | undefined;
  /** storageMode indicates whether the storage for a volume should be ThickProvisioned or ThinProvisioned. */
  storageMode?: string | undefined;
  /** storagePool is the ScaleIO Storage Pool associated with the protection domain. */
  storagePool?: string | undefined;
  /** system is the name of the storage system as configured in ScaleIO. */
  system: string;
  /** volumeName is the name of a volume already created in the ScaleIO system that is associated with this volume source. */
  volumeName?: string | undefined;
}

/** A scope selector represents the AND of the selectors represented by the scoped-resource selector requirements. */
export interface ScopeSelector {
  /** A list of scope selector requirements by scope of the resources. */
  matchExpressions?: ScopedResourceSelectorRequirement[] | undefined;
}

/** A scoped-resource selector requirement is a selector that contains values, a scope name, and an operator that relates the scope name and values. */
export interface ScopedResourceSelectorRequirement {
  /** Represents a scope's relationship to a set of values. */
  operator: 'DoesNotExist' | 'Exists' | 'In' | 'NotIn';
  /** The name of the scope that the selector applies to. */
  scopeName: 'BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating' | 'VolumeAttributesClass';
  /** An array of string values. */
  values?: string[] | undefined;
}

/** SeccompProfile defines a pod/container's seccomp profile settings. */
export interface SeccompProfile {
  /** localhostProfile indicates a profile defined in a file on the node should be used. */
  localhostProfile?: string | undefined;
  /** type indicates which kind of seccomp profile will be applied. */
  type: 'Localhost' | 'RuntimeDefault' | 'Unconfined';
}

/** Secret holds secret data of a certain type. */
export interface Secret extends KubeObject<'v1', 'Secret'> {
  /** Data contains the secret data. */
  data?: Record<string, Base64> | undefined;
  /** Immutable, if set to true, ensures that data stored in the Secret cannot be updated (only object metadata can be modified). */
  immutable?: boolean | undefined;
  /** stringData allows specifying non-binary secret data in string form. */
  stringData?: Record<string, string> | undefined;
  /** Used to facilitate programmatic handling of secret data. */
  type?: string | undefined;
}
export const Secret: Resource<Secret> = /* @__PURE__ */ externalResource<Secret>({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' });

/** SecretEnvSource selects a Secret to populate the environment variables with. */
export interface SecretEnvSource {
  /** Name of the referent. */
  name?: string | undefined;
  /** Specify whether the Secret must be defined */
  optional?: boolean | undefined;
}

/** SecretKeySelector selects a key of a Secret. */
export interface SecretKeySelector {
  /** The key of the secret to select from. */
  key: string;
  /** Name of the referent. */
  name?: string | undefined;
  /** Specify whether the Secret or its key must be defined */
  optional?: boolean | undefined;
}

/** Adapts a secret into a projected volume. */
export interface SecretProjection {
  /** items if unspecified, each key-value pair in the Data field of the referenced Secret will be projected into the volume as a file whose name is the key and content is the value. */
  items?: KeyToPath[] | undefined;
  /** Name of the referent. */
  name?: string | undefined;
  /** optional field specify whether the Secret or its key must be defined */
  optional?: boolean | undefined;
}

/** SecretReference represents a Secret Reference. */
export interface SecretReference {
  /** name is unique within a namespace to reference a secret resource. */
  name?: string | undefined;
  /** namespace defines the space within which the secret name must be unique. */
  namespace?: string | undefined;
}

/** Adapts a Secret into a volume. */
export interface SecretVolumeSource {
  /** defaultMode is Optional: mode bits used to set permissions on created files by default. */
  defaultMode?: Int32 | undefined;
  /** defaultUser is Optional: The owner UID of the created files by default. */
  defaultUser?: Int64 | undefined;
  /** items If unspecified, each key-value pair in the Data field of the referenced Secret will be projected into the volume as a file whose name is the key and content is the value. */
  items?: KeyToPath[] | undefined;
  /** optional field specify whether the Secret or its keys must be defined */
  optional?: boolean | undefined;
  /** secretName is the name of the secret in the pod's namespace to use. */
  secretName?: string | undefined;
}

/** SecurityContext holds security configuration that will be applied to a container. */
export interface SecurityContext {
  /** AllowPrivilegeEscalation controls whether a process can gain more privileges than its parent process. */
  allowPrivilegeEscalation?: boolean | undefined;
  /** appArmorProfile is the AppArmor options to use by this container. */
  appArmorProfile?: AppArmorProfile | undefined;
  /** The capabilities to add/drop when running containers. */
  capabilities?: Capabilities | undefined;
  /** Run container in privileged mode. */
  privileged?: boolean | undefined;
  /** procMount denotes the type of proc mount to use for the containers. */
  procMount?: 'Default' | 'Unmasked' | undefined;
  /** Whether this container has a read-only root filesystem. */
  readOnlyRootFilesystem?: boolean | undefined;
  /** The GID to run the entrypoint of the container process. */
  runAsGroup?: Int64 | undefined;
  /** Indicates that the container must run as a non-root user. */
  runAsNonRoot?: boolean | undefined;
  /** The UID to run the entrypoint of the container process. */
  runAsUser?: Int64 | undefined;
  /** The SELinux context to be applied to the container. */
  seLinuxOptions?: SELinuxOptions | undefined;
  /** The seccomp options to use by this container. */
  seccompProfile?: SeccompProfile | undefined;
  /** The Windows specific settings applied to all containers. */
  windowsOptions?: WindowsSecurityContextOptions | undefined;
}

/** Service is a named abstraction of software service (for example, mysql) consisting of local port (for example 3306) that the proxy listens on, and the selector that determines which pods will answer requests sent through the proxy. */
export interface Service extends KubeObject<'v1', 'Service'> {
  /** Spec defines the behavior of a service. */
  spec?: ServiceSpec | undefined;
  /** Most recently observed status of the service. */
  status?: ServiceStatus | undefined;
}
export const Service: Resource<Service> = /* @__PURE__ */ externalResource<Service>({ group: '', version: 'v1', kind: 'Service', plural: 'services', scope: 'Namespaced' });

/** ServiceAccount binds together: * a name, understood by users, and perhaps by peripheral systems, for an identity * a principal that can be authenticated and authorized * a set of secrets */
export interface ServiceAccount extends KubeObject<'v1', 'ServiceAccount'> {
  /** AutomountServiceAccountToken indicates whether pods running as this service account should have an API token automatically mounted. */
  automountServiceAccountToken?: boolean | undefined;
  /** ImagePullSecrets is a list of references to secrets in the same namespace to use for pulling any images in pods that reference this ServiceAccount. */
  imagePullSecrets?: LocalObjectReference[] | undefined;
  /** Secrets is a list of the secrets in the same namespace that pods running using this ServiceAccount are allowed to use. */
  secrets?: ObjectReference[] | undefined;
}
export const ServiceAccount: Resource<ServiceAccount> = /* @__PURE__ */ externalResource<ServiceAccount>({ group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', scope: 'Namespaced' });

/** ServiceAccountTokenProjection represents a projected service account token volume. */
export interface ServiceAccountTokenProjection {
  /** audience is the intended audience of the token. */
  audience?: string | undefined;
  /** expirationSeconds is the requested duration of validity of the service account token. */
  expirationSeconds?: Int64 | undefined;
  /** path is the path relative to the mount point of the file to project the token into. */
  path: string;
  /** user is Optional: The owner UID of the created file. */
  user?: Int64 | undefined;
}

/** ServicePort contains information on service's port. */
export interface ServicePort {
  /** The application protocol for this port. */
  appProtocol?: string | undefined;
  /** The name of this port within the service. */
  name?: string | undefined;
  /** The port on each node on which this service is exposed when type is NodePort or LoadBalancer. */
  nodePort?: Int32 | undefined;
  /** The port that will be exposed by this service. */
  port: Int32;
  /** The IP protocol for this port. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
  /** Number or name of the port to access on the pods targeted by the service. */
  targetPort?: IntOrString | undefined;
}

/** ServiceSpec describes the attributes that a user creates on a service. */
export interface ServiceSpec {
  /** allocateLoadBalancerNodePorts defines if NodePorts will be automatically allocated for services with type LoadBalancer. */
  allocateLoadBalancerNodePorts?: boolean | undefined;
  /** clusterIP is the IP address of the service and is usually assigned randomly. */
  clusterIP?: string | undefined;
  /** ClusterIPs is a list of IP addresses assigned to this service, and are usually assigned randomly. */
  clusterIPs?: string[] | undefined;
  /** externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for this service. */
  externalIPs?: string[] | undefined;
  /** externalName is the external reference that discovery mechanisms will return as an alias for this service (e.g. a DNS CNAME record). */
  externalName?: string | undefined;
  /** externalTrafficPolicy describes how nodes distribute service traffic they receive on one of the Service's "externally-facing" addresses (NodePorts, ExternalIPs, and LoadBalancer IPs). */
  externalTrafficPolicy?: 'Cluster' | 'Local' | undefined;
  /** healthCheckNodePort specifies the healthcheck nodePort for the service. */
  healthCheckNodePort?: Int32 | undefined;
  /** InternalTrafficPolicy describes how nodes distribute service traffic they receive on the ClusterIP. */
  internalTrafficPolicy?: 'Cluster' | 'Local' | undefined;
  /** IPFamilies is a list of IP families (e.g. IPv4, IPv6) assigned to this service. */
  ipFamilies?: ('' | 'IPv4' | 'IPv6')[] | undefined;
  /** IPFamilyPolicy represents the dual-stack-ness requested or required by this Service. */
  ipFamilyPolicy?: 'PreferDualStack' | 'RequireDualStack' | 'SingleStack' | undefined;
  /** loadBalancerClass is the class of the load balancer implementation this Service belongs to. */
  loadBalancerClass?: string | undefined;
  /** Only applies to Service Type: LoadBalancer. @deprecated */
  loadBalancerIP?: string | undefined;
  /** If specified and supported by the platform, this will restrict traffic through the cloud-provider load-balancer will be restricted to the specified client IPs. */
  loadBalancerSourceRanges?: string[] | undefined;
  /** The list of ports that are exposed by this service. */
  ports?: ServicePort[] | undefined;
  /** publishNotReadyAddresses indicates that any agent which deals with endpoints for this Service should disregard any indications of ready/not-ready. */
  publishNotReadyAddresses?: boolean | undefined;
  /** Route service traffic to pods with label keys and values matching this selector. */
  selector?: Record<string, string> | undefined;
  /** Supports "ClientIP" and "None". */
  sessionAffinity?: 'ClientIP' | 'None' | undefined;
  /** sessionAffinityConfig contains the configurations of session affinity. */
  sessionAffinityConfig?: SessionAffinityConfig | undefined;
  /** TrafficDistribution offers a way to express preferences for how traffic is distributed to Service endpoints. */
  trafficDistribution?: string | undefined;
  /** type determines how the Service is exposed. */
  type?: 'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort' | undefined;
}

/** ServiceStatus represents the current status of a service. */
export interface ServiceStatus {
  /** Current service state */
  conditions?: Condition[] | undefined;
  /** LoadBalancer contains the current status of the load-balancer, if one is present. */
  loadBalancer?: LoadBalancerStatus | undefined;
}

/** SessionAffinityConfig represents the configurations of session affinity. */
export interface SessionAffinityConfig {
  /** clientIP contains the configurations of Client IP based session affinity. */
  clientIP?: ClientIPConfig | undefined;
}

/** SleepAction describes a "sleep" action. */
export interface SleepAction {
  /** Seconds is the number of seconds to sleep. */
  seconds: Int64;
}

/** Represents a StorageOS persistent volume resource. */
export interface StorageOSPersistentVolumeSource {
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** readOnly defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretRef specifies the secret to use for obtaining the StorageOS API credentials. */
  secretRef?: ObjectReference | undefined;
  /** volumeName is the human-readable name of the StorageOS volume. */
  volumeName?: string | undefined;
  /** volumeNamespace specifies the scope of the volume within StorageOS. */
  volumeNamespace?: string | undefined;
}

/** Represents a StorageOS persistent volume resource. */
export interface StorageOSVolumeSource {
  /** fsType is the filesystem type to mount. */
  fsType?: string | undefined;
  /** readOnly defaults to false (read/write). */
  readOnly?: boolean | undefined;
  /** secretRef specifies the secret to use for obtaining the StorageOS API credentials. */
  secretRef?: LocalObjectReference | undefined;
  /** volumeName is the human-readable name of the StorageOS volume. */
  volumeName?: string | undefined;
  /** volumeNamespace specifies the scope of the volume within StorageOS. */
  volumeNamespace?: string | undefined;
}

/** Sysctl defines a kernel parameter to be set */
export interface Sysctl {
  /** Name of a property to set */
  name: string;
  /** Value of a property to set */
  value: string;
}

/** TCPSocketAction describes an action based on opening a socket */
export interface TCPSocketAction {
  /** Optional: Host name to connect to, defaults to the pod IP. */
  host?: string | undefined;
  /** Number or name of the port to access on the container. */
  port: IntOrString;
}

/** The node this Taint is attached to has the "effect" on any pod that does not tolerate the Taint. */
export interface Taint {
  /** Required. */
  effect: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule';
  /** Required. */
  key: string;
  /** TimeAdded represents the time at which the taint was added. */
  timeAdded?: DateTime | undefined;
  /** The taint value corresponding to the taint key. */
  value?: string | undefined;
}

/** The pod this Toleration is attached to tolerates any taint that matches the triple <key,value,effect> using the matching operator <operator>. */
export interface Toleration {
  /** Effect indicates the taint effect to match. */
  effect?: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule' | undefined;
  /** Key is the taint key that the toleration applies to. */
  key?: string | undefined;
  /** Operator represents a key's relationship to the value. */
  operator?: 'Equal' | 'Exists' | 'Gt' | 'Lt' | undefined;
  /** TolerationSeconds represents the period of time the toleration (which must be of effect NoExecute, otherwise this field is ignored) tolerates the taint. */
  tolerationSeconds?: Int64 | undefined;
  /** Value is the taint value the toleration matches to. */
  value?: string | undefined;
}

/** A topology selector requirement is a selector that matches given label. */
export interface TopologySelectorLabelRequirement {
  /** The label key that the selector applies to. */
  key: string;
  /** An array of string values. */
  values: string[];
}

/** A topology selector term represents the result of label queries. */
export interface TopologySelectorTerm {
  /** A list of topology selector requirements by labels. */
  matchLabelExpressions?: TopologySelectorLabelRequirement[] | undefined;
}

/** TopologySpreadConstraint specifies how to spread matching pods among the given topology. */
export interface TopologySpreadConstraint {
  /** LabelSelector is used to find matching pods. */
  labelSelector?: meta_v1.LabelSelector | undefined;
  /** MatchLabelKeys is a set of pod label keys to select the pods over which spreading will be calculated. */
  matchLabelKeys?: string[] | undefined;
  /** MaxSkew describes the degree to which pods may be unevenly distributed. */
  maxSkew: Int32;
  /** MinDomains indicates a minimum number of eligible domains. */
  minDomains?: Int32 | undefined;
  /** NodeAffinityPolicy indicates how we will treat Pod's nodeAffinity/nodeSelector when calculating pod topology spread skew. */
  nodeAffinityPolicy?: 'Honor' | 'Ignore' | undefined;
  /** NodeTaintsPolicy indicates how we will treat node taints when calculating pod topology spread skew. */
  nodeTaintsPolicy?: 'Honor' | 'Ignore' | undefined;
  /** TopologyKey is the key of node labels. */
  topologyKey: string;
  /** WhenUnsatisfiable indicates how to deal with a pod if it doesn't satisfy the spread constraint. */
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
}

/** TypedLocalObjectReference contains enough information to let you locate the typed referenced object inside the same namespace. */
export interface TypedLocalObjectReference {
  /** APIGroup is the group for the resource being referenced. */
  apiGroup?: string | undefined;
  /** Kind is the type of resource being referenced */
  kind: string;
  /** Name is the name of resource being referenced */
  name: string;
}

/** TypedObjectReference contains enough information to let you locate the typed referenced object */
export interface TypedObjectReference {
  /** APIGroup is the group for the resource being referenced. */
  apiGroup?: string | undefined;
  /** Kind is the type of resource being referenced */
  kind: string;
  /** Name is the name of resource being referenced */
  name: string;
  /** Namespace is the namespace of resource being referenced Note that when a namespace is specified, a gateway.networking.k8s.io/ReferenceGrant object is required in the referent namespace to allow that namespace's owner to accept the … */
  namespace?: string | undefined;
}

/** Volume represents a named volume in a pod that may be accessed by any container in the pod. */
export interface Volume {
  /** awsElasticBlockStore represents an AWS Disk resource that is attached to a kubelet's host machine and then exposed to the pod. @deprecated */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  /** azureDisk represents an Azure Data Disk mount on the host and bind mount to the pod. @deprecated */
  azureDisk?: AzureDiskVolumeSource | undefined;
  /** azureFile represents an Azure File Service mount on the host and bind mount to the pod. @deprecated */
  azureFile?: AzureFileVolumeSource | undefined;
  /** cephFS represents a Ceph FS mount on the host that shares a pod's lifetime. @deprecated */
  cephfs?: CephFSVolumeSource | undefined;
  /** cinder represents a cinder volume attached and mounted on kubelets host machine. @deprecated */
  cinder?: CinderVolumeSource | undefined;
  /** configMap represents a configMap that should populate this volume */
  configMap?: ConfigMapVolumeSource | undefined;
  /** csi (Container Storage Interface) represents ephemeral storage that is handled by certain external CSI drivers. */
  csi?: CSIVolumeSource | undefined;
  /** downwardAPI represents downward API about the pod that should populate this volume */
  downwardAPI?: DownwardAPIVolumeSource | undefined;
  /** emptyDir represents a temporary directory that shares a pod's lifetime. */
  emptyDir?: EmptyDirVolumeSource | undefined;
  /** ephemeral represents a volume that is handled by a cluster storage driver. */
  ephemeral?: EphemeralVolumeSource | undefined;
  /** fc represents a Fibre Channel resource that is attached to a kubelet's host machine and then exposed to the pod. */
  fc?: FCVolumeSource | undefined;
  /** flexVolume represents a generic volume resource that is provisioned/attached using an exec based plugin. @deprecated */
  flexVolume?: FlexVolumeSource | undefined;
  /** flocker represents a Flocker volume attached to a kubelet's host machine. @deprecated */
  flocker?: FlockerVolumeSource | undefined;
  /** gcePersistentDisk represents a GCE Disk resource that is attached to a kubelet's host machine and then exposed to the pod. @deprecated */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  /** gitRepo represents a git repository at a particular revision. @deprecated */
  gitRepo?: GitRepoVolumeSource | undefined;
  /** glusterfs represents a Glusterfs mount on the host that shares a pod's lifetime. @deprecated */
  glusterfs?: GlusterfsVolumeSource | undefined;
  /** hostPath represents a pre-existing file or directory on the host machine that is directly exposed to the container. */
  hostPath?: HostPathVolumeSource | undefined;
  /** image represents an OCI object (a container image or artifact) pulled and mounted on the kubelet's host machine. */
  image?: ImageVolumeSource | undefined;
  /** iscsi represents an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod. */
  iscsi?: ISCSIVolumeSource | undefined;
  /** name of the volume. */
  name: string;
  /** nfs represents an NFS mount on the host that shares a pod's lifetime More info: https://kubernetes.io/docs/concepts/storage/volumes#nfs */
  nfs?: NFSVolumeSource | undefined;
  /** persistentVolumeClaimVolumeSource represents a reference to a PersistentVolumeClaim in the same namespace. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
  /** photonPersistentDisk represents a PhotonController persistent disk attached and mounted on kubelets host machine. @deprecated */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  /** portworxVolume represents a portworx volume attached and mounted on kubelets host machine. @deprecated */
  portworxVolume?: PortworxVolumeSource | undefined;
  /** projected items for all in one resources secrets, configmaps, and downward API */
  projected?: ProjectedVolumeSource | undefined;
  /** quobyte represents a Quobyte mount on the host that shares a pod's lifetime. @deprecated */
  quobyte?: QuobyteVolumeSource | undefined;
  /** rbd represents a Rados Block Device mount on the host that shares a pod's lifetime. @deprecated */
  rbd?: RBDVolumeSource | undefined;
  /** scaleIO represents a ScaleIO persistent volume attached and mounted on Kubernetes nodes. @deprecated */
  scaleIO?: ScaleIOVolumeSource | undefined;
  /** secret represents a secret that should populate this volume. */
  secret?: SecretVolumeSource | undefined;
  /** storageOS represents a StorageOS volume attached and mounted on Kubernetes nodes. @deprecated */
  storageos?: StorageOSVolumeSource | undefined;
  /** vsphereVolume represents a vSphere volume attached and mounted on kubelets host machine. @deprecated */
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}

/** volumeDevice describes a mapping of a raw block device within a container. */
export interface VolumeDevice {
  /** devicePath is the path inside of the container that the device will be mapped to. */
  devicePath: string;
  /** name must match the name of a persistentVolumeClaim in the pod */
  name: string;
}

/** VolumeHealthCondition represents an adverse health condition reported for a volume. */
export interface VolumeHealthCondition {
  /** message is a human-readable description. */
  message?: string | undefined;
  /** reason is a brief CamelCase machine-parseable reason. */
  reason: string;
  /** status is the machine-parseable health category. */
  status: 'DataLoss' | 'Degraded' | 'Inaccessible';
}

/** VolumeHealthStatus contains health information for a volume reported by the CSI controller plugin. */
export interface VolumeHealthStatus {
  /** conditions is the set of adverse conditions reported by the CSI controller plugin. */
  healthConditions?: VolumeHealthCondition[] | undefined;
  /** lastTransitionTime is when the current set of conditions first appeared. */
  lastTransitionTime?: DateTime | undefined;
}

/** VolumeMount describes a mounting of a Volume within a container. */
export interface VolumeMount {
  /** bindMountOptions is the list of additional bind mount options to apply when mounting this volume into the container. */
  bindMountOptions?: string[] | undefined;
  /** Path within the container at which the volume should be mounted. */
  mountPath: string;
  /** mountPropagation determines how mounts are propagated from the host to container and the other way around. */
  mountPropagation?: 'Bidirectional' | 'HostToContainer' | 'None' | undefined;
  /** This must match the Name of a Volume. */
  name: string;
  /** Mounted read-only if true, read-write otherwise (false or unspecified). */
  readOnly?: boolean | undefined;
  /** RecursiveReadOnly specifies whether read-only mounts should be handled recursively. */
  recursiveReadOnly?: string | undefined;
  /** Path within the volume from which the container's volume should be mounted. */
  subPath?: string | undefined;
  /** Expanded path within the volume from which the container's volume should be mounted. */
  subPathExpr?: string | undefined;
}

/** VolumeMountStatus shows status of volume mounts. */
export interface VolumeMountStatus {
  /** MountPath corresponds to the original VolumeMount. */
  mountPath: string;
  /** Name corresponds to the name of the original VolumeMount. */
  name: string;
  /** ReadOnly corresponds to the original VolumeMount. */
  readOnly?: boolean | undefined;
  /** RecursiveReadOnly must be set to Disabled, Enabled, or unspecified (for non-readonly mounts). */
  recursiveReadOnly?: string | undefined;
  /** volumeStatus represents volume-type-specific status about the mounted volume. */
  volumeStatus?: VolumeStatus | undefined;
}

/** VolumeNodeAffinity defines constraints that limit what nodes this volume can be accessed from. */
export interface VolumeNodeAffinity {
  /** required specifies hard node constraints that must be met. */
  required?: NodeSelector | undefined;
}

/** Projection that may be projected along with other supported volume types. */
export interface VolumeProjection {
  /** ClusterTrustBundle allows a pod to access the `.spec.trustBundle` field of ClusterTrustBundle objects in an auto-updating file. */
  clusterTrustBundle?: ClusterTrustBundleProjection | undefined;
  /** configMap information about the configMap data to project */
  configMap?: ConfigMapProjection | undefined;
  /** downwardAPI information about the downwardAPI data to project */
  downwardAPI?: DownwardAPIProjection | undefined;
  /** Projects an auto-rotating credential bundle (private key and certificate chain) that the pod can use either as a TLS client or server. */
  podCertificate?: PodCertificateProjection | undefined;
  /** secret information about the secret data to project */
  secret?: SecretProjection | undefined;
  /** serviceAccountToken is information about the serviceAccountToken data to project */
  serviceAccountToken?: ServiceAccountTokenProjection | undefined;
}

/** VolumeResourceRequirements describes the storage resource requirements for a volume. */
export interface VolumeResourceRequirements {
  /** Limits describes the maximum amount of compute resources allowed. */
  limits?: Record<string, Quantity> | undefined;
  /** Requests describes the minimum amount of compute resources required. */
  requests?: Record<string, Quantity> | undefined;
}

/** VolumeStatus represents the status of a mounted volume. */
export interface VolumeStatus {
  /** image represents an OCI object (a container image or artifact) pulled and mounted on the kubelet's host machine. */
  image?: ImageVolumeStatus | undefined;
}

/** Represents a vSphere volume resource. */
export interface VsphereVirtualDiskVolumeSource {
  /** fsType is filesystem type to mount. */
  fsType?: string | undefined;
  /** storagePolicyID is the storage Policy Based Management (SPBM) profile ID associated with the StoragePolicyName. */
  storagePolicyID?: string | undefined;
  /** storagePolicyName is the storage Policy Based Management (SPBM) profile name. */
  storagePolicyName?: string | undefined;
  /** volumePath is the path that identifies vSphere volume vmdk */
  volumePath: string;
}

/** The weights of all of the matched WeightedPodAffinityTerm fields are added per-node to find the most preferred node(s) */
export interface WeightedPodAffinityTerm {
  /** Required. */
  podAffinityTerm: PodAffinityTerm;
  /** weight associated with matching the corresponding podAffinityTerm, in the range 1-100. */
  weight: Int32;
}

/** WindowsSecurityContextOptions contain Windows-specific options and credentials. */
export interface WindowsSecurityContextOptions {
  /** GMSACredentialSpec is where the GMSA admission webhook (https://github.com/kubernetes-sigs/windows-gmsa) inlines the contents of the GMSA credential spec named by the GMSACredentialSpecName field. */
  gmsaCredentialSpec?: string | undefined;
  /** GMSACredentialSpecName is the name of the GMSA credential spec to use. */
  gmsaCredentialSpecName?: string | undefined;
  /** HostProcess determines if a container should be run as a 'Host Process' container. */
  hostProcess?: boolean | undefined;
  /** The UserName in Windows to run the entrypoint of the container process. */
  runAsUserName?: string | undefined;
}
