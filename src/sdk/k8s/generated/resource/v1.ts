// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as core_v1 from '../core/v1.ts';
import type { Condition, KubeObject, ObjectMeta } from '../../../api/meta.ts';
import type { DateTime, Int64, JsonObject, Quantity } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** AllocatedDeviceStatus contains the status of an allocated device, if the driver chooses to report it. */
export interface AllocatedDeviceStatus {
  /** Conditions contains the latest observation of the device's state. */
  conditions?: Condition[] | undefined;
  /** Data contains arbitrary driver-specific data. */
  data?: JsonObject | undefined;
  /** Device references one device instance via its name in the driver's resource pool. */
  device: string;
  /** Driver specifies the name of the DRA driver whose kubelet plugin should be invoked to process the allocation once the claim is needed on a node. */
  driver: string;
  /** NetworkData contains network-related information specific to the device. */
  networkData?: NetworkDeviceData | undefined;
  /** This name together with the driver name and the device name field identify which device was allocated (`<driver name>/<pool name>/<device name>`). */
  pool: string;
  /** ShareID uniquely identifies an individual allocation share of the device. */
  shareID?: string | undefined;
}

/** AllocationResult contains attributes of an allocated resource. */
export interface AllocationResult {
  /** AllocationTimestamp stores the time when the resources were allocated. */
  allocationTimestamp?: DateTime | undefined;
  /** Devices is the result of allocating devices. */
  devices?: DeviceAllocationResult | undefined;
  /** NodeSelector defines where the allocated resources are available. */
  nodeSelector?: core_v1.NodeSelector | undefined;
}

/** CELDeviceSelector contains a CEL expression for selecting a device. */
export interface CELDeviceSelector {
  /** Expression is a CEL expression which evaluates a single device. */
  expression: string;
}

/** CapacityRequestPolicy defines how requests consume device capacity. */
export interface CapacityRequestPolicy {
  /** Default specifies how much of this capacity is consumed by a request that does not contain an entry for it in DeviceRequest's Capacity. */
  default?: Quantity | undefined;
  /** ValidRange defines an acceptable quantity value range in consuming requests. */
  validRange?: CapacityRequestPolicyRange | undefined;
  /** ValidValues defines a set of acceptable quantity values in consuming requests. */
  validValues?: Quantity[] | undefined;
}

/** CapacityRequestPolicyRange defines a valid range for consumable capacity values. */
export interface CapacityRequestPolicyRange {
  /** Max defines the upper limit for capacity that can be requested. */
  max?: Quantity | undefined;
  /** Min specifies the minimum capacity allowed for a consumption request. */
  min: Quantity;
  /** Step defines the step size between valid capacity amounts within the range. */
  step?: Quantity | undefined;
}

/** CapacityRequirements defines the capacity requirements for a specific device request. */
export interface CapacityRequirements {
  /** Requests represent individual device resource requests for distinct resources, all of which must be provided by the device. */
  requests?: Record<string, Quantity> | undefined;
}

/** Counter describes a quantity associated with a device. */
export interface Counter {
  /** Value defines how much of a certain device counter is available. */
  value: Quantity;
}

/** CounterSet defines a named set of counters that are available to be used by devices defined in the ResourcePool. */
export interface CounterSet {
  /** Counters defines the set of counters for this CounterSet The name of each counter must be unique in that set and must be a DNS label. */
  counters: Record<string, Counter>;
  /** Name defines the name of the counter set. */
  name: string;
}

/** Device represents one individual hardware instance that can be selected based on its attributes. */
export interface Device {
  /** AllNodes indicates that all nodes have access to the device. */
  allNodes?: boolean | undefined;
  /** AllowMultipleAllocations marks whether the device is allowed to be allocated to multiple DeviceRequests. */
  allowMultipleAllocations?: boolean | undefined;
  /** Attributes defines the set of attributes for this device. */
  attributes?: Record<string, DeviceAttribute> | undefined;
  /** BindingConditions defines the conditions for proceeding with binding. */
  bindingConditions?: string[] | undefined;
  /** BindingFailureConditions defines the conditions for binding failure. */
  bindingFailureConditions?: string[] | undefined;
  /** BindsToNode indicates if the usage of an allocation involving this device has to be limited to exactly the node that was chosen when allocating the claim. */
  bindsToNode?: boolean | undefined;
  /** Capacity defines the set of capacities for this device. */
  capacity?: Record<string, DeviceCapacity> | undefined;
  /** ConsumesCounters defines a list of references to sharedCounters and the set of counters that the device will consume from those counter sets. */
  consumesCounters?: DeviceCounterConsumption[] | undefined;
  /** Name is unique identifier among all devices managed by the driver in the pool. */
  name: string;
  /** NodeAllocatableResources defines the mapping of node resources that are managed by the DRA driver exposing this device. */
  nodeAllocatableResources?: Record<string, NodeAllocatableResource> | undefined;
  /** NodeName identifies the node where the device is available. */
  nodeName?: string | undefined;
  /** NodeSelector defines the nodes where the device is available. */
  nodeSelector?: core_v1.NodeSelector | undefined;
  /** If specified, these are the driver-defined taints. */
  taints?: DeviceTaint[] | undefined;
}

/** DeviceAllocationConfiguration gets embedded in an AllocationResult. */
export interface DeviceAllocationConfiguration {
  /** Opaque provides driver-specific configuration parameters. */
  opaque?: OpaqueDeviceConfiguration | undefined;
  /** Requests lists the names of requests where the configuration applies. */
  requests?: string[] | undefined;
  /** Source records whether the configuration comes from a class and thus is not something that a normal user would have been able to set or from a claim. */
  source: 'FromClaim' | 'FromClass';
}

/** DeviceAllocationResult is the result of allocating devices. */
export interface DeviceAllocationResult {
  /** This field is a combination of all the claim and class configuration parameters. */
  config?: DeviceAllocationConfiguration[] | undefined;
  /** Results lists all allocated devices. */
  results?: DeviceRequestAllocationResult[] | undefined;
}

/** DeviceAttribute must have exactly one field set. */
export interface DeviceAttribute {
  /** BoolValue is a true/false value. */
  bool?: boolean | undefined;
  /** BoolValues is a non-empty list of true/false values. */
  bools?: boolean[] | undefined;
  /** IntValue is a number. */
  int?: Int64 | undefined;
  /** IntValues is a non-empty list of numbers. */
  ints?: Int64[] | undefined;
  /** StringValue is a string. */
  string?: string | undefined;
  /** StringValues is a non-empty list of strings. */
  strings?: string[] | undefined;
  /** VersionValue is a semantic version according to semver.org spec 2.0.0. */
  version?: string | undefined;
  /** VersionValues is a non-empty list of semantic versions according to semver.org spec 2.0.0. */
  versions?: string[] | undefined;
}

/** DeviceCapacity describes a quantity associated with a device. */
export interface DeviceCapacity {
  /** RequestPolicy defines how this DeviceCapacity must be consumed when the device is allowed to be shared by multiple allocations. */
  requestPolicy?: CapacityRequestPolicy | undefined;
  /** Value defines how much of a certain capacity that device has. */
  value: Quantity;
}

/** DeviceClaim defines how to request devices with a ResourceClaim. */
export interface DeviceClaim {
  /** This field holds configuration for multiple potential drivers which could satisfy requests in this claim. */
  config?: DeviceClaimConfiguration[] | undefined;
  /** These constraints must be satisfied by the set of devices that get allocated for the claim. */
  constraints?: DeviceConstraint[] | undefined;
  /** Requests represent individual requests for distinct devices which must all be satisfied. */
  requests?: DeviceRequest[] | undefined;
}

/** DeviceClaimConfiguration is used for configuration parameters in DeviceClaim. */
export interface DeviceClaimConfiguration {
  /** Opaque provides driver-specific configuration parameters. */
  opaque?: OpaqueDeviceConfiguration | undefined;
  /** Requests lists the names of requests where the configuration applies. */
  requests?: string[] | undefined;
}

/** DeviceClass is a vendor- or admin-provided resource that contains device configuration and selectors. */
export interface DeviceClass extends KubeObject<'resource.k8s.io/v1', 'DeviceClass'> {
  /** Spec defines what can be allocated and how to configure it. */
  spec?: DeviceClassSpec | undefined;
}
export const DeviceClass: Resource<DeviceClass> = /* @__PURE__ */ externalResource<DeviceClass>({ group: 'resource.k8s.io', version: 'v1', kind: 'DeviceClass', plural: 'deviceclasses', scope: 'Cluster' });

/** DeviceClassConfiguration is used in DeviceClass. */
export interface DeviceClassConfiguration {
  /** Opaque provides driver-specific configuration parameters. */
  opaque?: OpaqueDeviceConfiguration | undefined;
}

/** DeviceClassSpec is used in a [DeviceClass] to define what can be allocated and how to configure it. */
export interface DeviceClassSpec {
  /** Config defines configuration parameters that apply to each device that is claimed via this class. */
  config?: DeviceClassConfiguration[] | undefined;
  /** ExtendedResourceName is the extended resource name for the devices of this class. */
  extendedResourceName?: string | undefined;
  /** Each selector must be satisfied by a device which is claimed via this class. */
  selectors?: DeviceSelector[] | undefined;
}

/** DeviceConstraint must have exactly one field set besides Requests. */
export interface DeviceConstraint {
  /** DistinctAttribute requires that all devices in question have this attribute and that its type and value are unique across those devices. */
  distinctAttribute?: string | undefined;
  /** MatchAttribute requires that all devices in question have this attribute and that its type and value are the same across those devices. */
  matchAttribute?: string | undefined;
  /** Requests is a list of the one or more requests in this claim which must co-satisfy this constraint. */
  requests?: string[] | undefined;
}

/** DeviceCounterConsumption defines a set of counters that a device will consume from a CounterSet. */
export interface DeviceCounterConsumption {
  /** CompatibilityGroups is a list of opaque group names for this counter set consumption. */
  compatibilityGroups?: string[] | undefined;
  /** CounterSet is the name of the set from which the counters defined will be consumed. */
  counterSet: string;
  /** Counters defines the counters that will be consumed by the device. */
  counters: Record<string, Counter>;
}

/** DeviceDerivedAttribute defines a derived attribute computed via CEL. */
export interface DeviceDerivedAttribute {
  /** Expression is a CEL expression evaluated against each candidate device. */
  expression: string;
  /** Name is the identifier for this derived attribute, used in constraints. */
  name: string;
}

/** DeviceRequest is a request for devices required for a claim. */
export interface DeviceRequest {
  /** Exactly specifies the details for a single request that must be met exactly for the request to be satisfied. */
  exactly?: ExactDeviceRequest | undefined;
  /** FirstAvailable contains subrequests, of which exactly one will be selected by the scheduler. */
  firstAvailable?: DeviceSubRequest[] | undefined;
  /** Name can be used to reference this request in a pod.spec.containers[].resources.claims entry and in a constraint of the claim. */
  name: string;
}

/** DeviceRequestAllocationResult contains the allocation result for one request. */
export interface DeviceRequestAllocationResult {
  /** AdminAccess indicates that this device was allocated for administrative access. */
  adminAccess?: boolean | undefined;
  /** BindingConditions contains a copy of the BindingConditions from the corresponding ResourceSlice at the time of allocation. */
  bindingConditions?: string[] | undefined;
  /** BindingFailureConditions contains a copy of the BindingFailureConditions from the corresponding ResourceSlice at the time of allocation. */
  bindingFailureConditions?: string[] | undefined;
  /** ConsumedCapacity tracks the amount of capacity consumed per device as part of the claim request. */
  consumedCapacity?: Record<string, Quantity> | undefined;
  /** Device references one device instance via its name in the driver's resource pool. */
  device: string;
  /** Driver specifies the name of the DRA driver whose kubelet plugin should be invoked to process the allocation once the claim is needed on a node. */
  driver: string;
  /** This name together with the driver name and the device name field identify which device was allocated (`<driver name>/<pool name>/<device name>`). */
  pool: string;
  /** Request is the name of the request in the claim which caused this device to be allocated. */
  request: string;
  /** ShareID uniquely identifies an individual allocation share of the device, used when the device supports multiple simultaneous allocations. */
  shareID?: string | undefined;
  /** SkipNodeOperations lists node-local resource operations (gRPC calls) that will be skipped for this allocated device when determining whether operations are necessary on the node. */
  skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
  /** A copy of all tolerations specified in the request at the time when the device got allocated. */
  tolerations?: DeviceToleration[] | undefined;
}

/** DeviceSelector must have exactly one field set. */
export interface DeviceSelector {
  /** CEL contains a CEL expression for selecting a device. */
  cel?: CELDeviceSelector | undefined;
}

/** DeviceSubRequest describes a request for device provided in the claim.spec.devices.requests[].firstAvailable array. */
export interface DeviceSubRequest {
  /** AllocationMode and its related fields define how devices are allocated to satisfy this subrequest. */
  allocationMode?: 'All' | 'ExactCount' | undefined;
  /** Capacity define resource requirements against each capacity. */
  capacity?: CapacityRequirements | undefined;
  /** Count is used only when the count mode is "ExactCount". */
  count?: Int64 | undefined;
  /** DerivedAttributes defines a set of virtual attributes computed via CEL expressions for each candidate device. */
  derivedAttributes?: DeviceDerivedAttribute[] | undefined;
  /** DeviceClassName references a specific DeviceClass, which can define additional configuration and selectors to be inherited by this subrequest. */
  deviceClassName: string;
  /** Name can be used to reference this subrequest in the list of constraints or the list of configurations for the claim. */
  name: string;
  /** Selectors define criteria which must be satisfied by a specific device in order for that device to be considered for this subrequest. */
  selectors?: DeviceSelector[] | undefined;
  /** If specified, the request's tolerations. */
  tolerations?: DeviceToleration[] | undefined;
}

/** The device this taint is attached to has the "effect" on any claim which does not tolerate the taint and, through the claim, to pods using the claim. */
export interface DeviceTaint {
  /** The effect of the taint on claims that do not tolerate the taint and through such claims on the pods using them. */
  effect: 'NoExecute' | 'NoSchedule' | 'None';
  /** The taint key to be applied to a device. */
  key: string;
  /** TimeAdded represents the time at which the taint was added or (only in a DeviceTaintRule) the effect was modified. */
  timeAdded?: DateTime | undefined;
  /** The taint value corresponding to the taint key. */
  value?: string | undefined;
}

/** DeviceTaintRule adds one taint to all devices which match the selector. */
export interface DeviceTaintRule extends KubeObject<'resource.k8s.io/v1', 'DeviceTaintRule'> {
  /** Spec specifies the selector and one taint. */
  spec: DeviceTaintRuleSpec;
  /** Status provides information about what was requested in the spec. */
  status?: DeviceTaintRuleStatus | undefined;
}
export const DeviceTaintRule: Resource<DeviceTaintRule> = /* @__PURE__ */ externalResource<DeviceTaintRule>({ group: 'resource.k8s.io', version: 'v1', kind: 'DeviceTaintRule', plural: 'devicetaintrules', scope: 'Cluster' });

/** DeviceTaintRuleSpec specifies the selector and one taint. */
export interface DeviceTaintRuleSpec {
  /** DeviceSelector defines which device(s) the taint is applied to. */
  deviceSelector?: DeviceTaintSelector | undefined;
  /** The taint that gets applied to matching devices. */
  taint: DeviceTaint;
}

/** DeviceTaintRuleStatus provides information about an on-going pod eviction. */
export interface DeviceTaintRuleStatus {
  /** Conditions provide information about the state of the DeviceTaintRule and the cluster at some point in time, in a machine-readable and human-readable format. */
  conditions?: Condition[] | undefined;
}

/** DeviceTaintSelector defines which device(s) a DeviceTaintRule applies to. */
export interface DeviceTaintSelector {
  /** If device is set, only devices with that name are selected. */
  device?: string | undefined;
  /** If driver is set, only devices from that driver are selected. */
  driver?: string | undefined;
  /** If pool is set, only devices in that pool are selected. */
  pool?: string | undefined;
}

/** The ResourceClaim this DeviceToleration is attached to tolerates any taint that matches the triple <key,value,effect> using the matching operator <operator>. */
export interface DeviceToleration {
  /** Effect indicates the taint effect to match. */
  effect?: 'NoExecute' | 'NoSchedule' | 'None' | undefined;
  /** Key is the taint key that the toleration applies to. */
  key?: string | undefined;
  /** Operator represents a key's relationship to the value. */
  operator?: 'Equal' | 'Exists' | undefined;
  /** TolerationSeconds represents the period of time the toleration (which must be of effect NoExecute, otherwise this field is ignored) tolerates the taint. */
  tolerationSeconds?: Int64 | undefined;
  /** Value is the taint value the toleration matches to. */
  value?: string | undefined;
}

/** ExactDeviceRequest is a request for one or more identical devices. */
export interface ExactDeviceRequest {
  /** AdminAccess indicates that this is a claim for administrative access to the device(s). */
  adminAccess?: boolean | undefined;
  /** AllocationMode and its related fields define how devices are allocated to satisfy this request. */
  allocationMode?: 'All' | 'ExactCount' | undefined;
  /** Capacity define resource requirements against each capacity. */
  capacity?: CapacityRequirements | undefined;
  /** Count is used only when the count mode is "ExactCount". */
  count?: Int64 | undefined;
  /** DerivedAttributes defines a set of virtual attributes computed via CEL expressions for each candidate device. */
  derivedAttributes?: DeviceDerivedAttribute[] | undefined;
  /** DeviceClassName references a specific DeviceClass, which can define additional configuration and selectors to be inherited by this request. */
  deviceClassName: string;
  /** Selectors define criteria which must be satisfied by a specific device in order for that device to be considered for this request. */
  selectors?: DeviceSelector[] | undefined;
  /** If specified, the request's tolerations. */
  tolerations?: DeviceToleration[] | undefined;
}

/** NetworkDeviceData provides network-related details for the allocated device. */
export interface NetworkDeviceData {
  /** HardwareAddress represents the hardware address (e.g. MAC Address) of the device's network interface. */
  hardwareAddress?: string | undefined;
  /** InterfaceName specifies the name of the network interface associated with the allocated device. */
  interfaceName?: string | undefined;
  /** IPs lists the network addresses assigned to the device's network interface. */
  ips?: string[] | undefined;
}

/** NodeAllocatableMapping defines how a DRA allocation directly translates into a node allocatable resource quantity. */
export interface NodeAllocatableMapping {
  /** CapacityKey references a capacity name defined as a key in the `spec.devices[*].capacity` map. */
  capacityKey?: string | undefined;
  /** CapacityMultiplier is used as a multiplier for the allocated capacity consumed. */
  capacityMultiplier?: Quantity | undefined;
  /** DeviceMultiplier is used as a multiplier for the allocated device count in the claim. */
  deviceMultiplier?: Quantity | undefined;
}

/** NodeAllocatableOverhead defines auxiliary resource overheads incurred when allocating a device. */
export interface NodeAllocatableOverhead {
  /** PerContainer is applied per container reference to the claim. */
  perContainer?: Quantity | undefined;
  /** PerPod is overhead applied once per pod referencing the claim on this node. */
  perPod?: Quantity | undefined;
}

/** NodeAllocatableResource defines the translation between the DRA device/capacity units requested to the corresponding quantity of the node allocatable resource. */
export interface NodeAllocatableResource {
  /** Mapping is used when the device directly models a node allocatable resource like standard CPU or memory (e.g., with a CPU DRA driver). */
  mapping?: NodeAllocatableMapping | undefined;
  /** Overhead contains fields for modeling auxiliary overhead incurred on node allocatable resources when allocating devices that are not themselves modeling a node allocatable resource (e.g., host memory overhead for GPUs). */
  overhead?: NodeAllocatableOverhead | undefined;
}

/** OpaqueDeviceConfiguration contains configuration parameters for a driver in a format defined by the driver vendor. */
export interface OpaqueDeviceConfiguration {
  /** Driver is used to determine which kubelet plugin needs to be passed these configuration parameters. */
  driver: string;
  /** Parameters can contain arbitrary data. */
  parameters: JsonObject;
}

/** ResourceClaim describes a request for access to resources in the cluster, for use by workloads. */
export interface ResourceClaim extends KubeObject<'resource.k8s.io/v1', 'ResourceClaim'> {
  /** Spec describes what is being requested and how to configure it. */
  spec?: ResourceClaimSpec | undefined;
  /** Status describes whether the claim is ready to use and what has been allocated. */
  status?: ResourceClaimStatus | undefined;
}
export const ResourceClaim: Resource<ResourceClaim> = /* @__PURE__ */ externalResource<ResourceClaim>({ group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaim', plural: 'resourceclaims', scope: 'Namespaced' });

/** ResourceClaimConsumerReference contains enough information to let you locate the consumer of a ResourceClaim. */
export interface ResourceClaimConsumerReference {
  /** APIGroup is the group for the resource being referenced. */
  apiGroup?: string | undefined;
  /** Name is the name of resource being referenced. */
  name: string;
  /** Resource is the type of resource being referenced, for example "pods". */
  resource: string;
  /** UID identifies exactly one incarnation of the resource. */
  uid: string;
}

/** ResourceClaimSpec defines what is being requested in a ResourceClaim and how to configure it. */
export interface ResourceClaimSpec {
  /** Devices defines how to request devices. */
  devices?: DeviceClaim | undefined;
}

/** ResourceClaimStatus tracks whether the resource has been allocated and what the result of that was. */
export interface ResourceClaimStatus {
  /** Allocation is set once the claim has been allocated successfully. */
  allocation?: AllocationResult | undefined;
  /** Devices contains the status of each device allocated for this claim, as reported by the driver. */
  devices?: AllocatedDeviceStatus[] | undefined;
  /** ReservedFor indicates which entities are currently allowed to use the claim. */
  reservedFor?: ResourceClaimConsumerReference[] | undefined;
}

/** ResourceClaimTemplate is used to produce ResourceClaim objects. */
export interface ResourceClaimTemplate extends KubeObject<'resource.k8s.io/v1', 'ResourceClaimTemplate'> {
  /** Describes the ResourceClaim that is to be generated. */
  spec?: ResourceClaimTemplateSpec | undefined;
}
export const ResourceClaimTemplate: Resource<ResourceClaimTemplate> = /* @__PURE__ */ externalResource<ResourceClaimTemplate>({ group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaimTemplate', plural: 'resourceclaimtemplates', scope: 'Namespaced' });

/** ResourceClaimTemplateSpec contains the metadata and fields for a ResourceClaim. */
export interface ResourceClaimTemplateSpec {
  /** ObjectMeta may contain labels and annotations that will be copied into the ResourceClaim when creating it. */
  metadata?: ObjectMeta | undefined;
  /** Spec for the ResourceClaim. */
  spec?: ResourceClaimSpec | undefined;
}

/** ResourcePool describes the pool that ResourceSlices belong to. */
export interface ResourcePool {
  /** Generation tracks the change in a pool over time. */
  generation: Int64;
  /** Name is used to identify the pool. */
  name: string;
  /** ResourceSliceCount is the total number of ResourceSlices in the pool at this generation number. */
  resourceSliceCount: Int64;
}

/** ResourceSlice represents one or more resources in a pool of similar resources, managed by a common driver. */
export interface ResourceSlice extends KubeObject<'resource.k8s.io/v1', 'ResourceSlice'> {
  /** Contains the information published by the driver. */
  spec: ResourceSliceSpec;
}
export const ResourceSlice: Resource<ResourceSlice> = /* @__PURE__ */ externalResource<ResourceSlice>({ group: 'resource.k8s.io', version: 'v1', kind: 'ResourceSlice', plural: 'resourceslices', scope: 'Cluster' });

/** ResourceSliceSpec contains the information published by the driver in one ResourceSlice. */
export interface ResourceSliceSpec {
  /** AllNodes indicates that all nodes have access to the resources in the pool. */
  allNodes?: boolean | undefined;
  /** Devices lists some or all of the devices in this pool. */
  devices?: Device[] | undefined;
  /** Driver identifies the DRA driver providing the capacity information. */
  driver: string;
  /** NodeName identifies the node which provides the resources in this pool. */
  nodeName?: string | undefined;
  /** NodeSelector defines which nodes have access to the resources in the pool, when that pool is not limited to a single node. */
  nodeSelector?: core_v1.NodeSelector | undefined;
  /** PartitionTypeAttribute names a string device attribute (by fully qualified name, e.g. "gpu.example.com/profile") whose value labels each device with its partition type, such as "Full" or "Half" for a MIG-style GPU. */
  partitionTypeAttribute?: string | undefined;
  /** PerDeviceNodeSelection defines whether the access from nodes to resources in the pool is set on the ResourceSlice level or on each device. */
  perDeviceNodeSelection?: boolean | undefined;
  /** Pool describes the pool that this ResourceSlice belongs to. */
  pool: ResourcePool;
  /** SharedCounters defines a list of counter sets, each of which has a name and a list of counters available. */
  sharedCounters?: CounterSet[] | undefined;
  /** SkipNodeOperations lists node-local resource operations (gRPC calls) that will be skipped for the devices in this slice when determining whether operations are necessary on the node. */
  skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
