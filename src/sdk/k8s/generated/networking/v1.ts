// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as core_v1 from '../core/v1.ts';
import type * as meta_v1 from '../meta/v1.ts';
import type { Condition, KubeObject } from '../../../api/meta.ts';
import type { Int32, IntOrString } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** HTTPIngressPath associates a path with a backend. */
export interface HTTPIngressPath {
  /** backend defines the referenced service endpoint to which the traffic will be forwarded to. */
  backend: IngressBackend;
  /** path is matched against the path of an incoming request. */
  path?: string | undefined;
  /** pathType determines the interpretation of the path matching. */
  pathType: 'Exact' | 'ImplementationSpecific' | 'Prefix';
}

/** HTTPIngressRuleValue is a list of http selectors pointing to backends. */
export interface HTTPIngressRuleValue {
  /** paths is a collection of paths that map requests to backends. */
  paths: HTTPIngressPath[];
}

/** IPAddress represents a single IP of a single IP Family. */
export interface IPAddress extends KubeObject<'networking.k8s.io/v1', 'IPAddress'> {
  /** spec is the desired state of the IPAddress. */
  spec: IPAddressSpec;
}
export const IPAddress: Resource<IPAddress> = /* @__PURE__ */ externalResource<IPAddress>({ group: 'networking.k8s.io', version: 'v1', kind: 'IPAddress', plural: 'ipaddresses', scope: 'Cluster' });

/** IPAddressSpec describe the attributes in an IP Address. */
export interface IPAddressSpec {
  /** parentRef references the resource that an IPAddress is attached to. */
  parentRef: ParentReference;
}

/** IPBlock describes a particular CIDR (Ex. */
export interface IPBlock {
  /** cidr is a string representing the IPBlock Valid examples are "192.168.1.0/24" or "2001:db8::/64" */
  cidr: string;
  /** except is a slice of CIDRs that should not be included within an IPBlock Valid examples are "192.168.1.0/24" or "2001:db8::/64" Except values will be rejected if they are outside the cidr range */
  except?: string[] | undefined;
}

/** Ingress is a collection of rules that allow inbound connections to reach the endpoints defined by a backend. */
export interface Ingress extends KubeObject<'networking.k8s.io/v1', 'Ingress'> {
  /** spec is the desired state of the Ingress. */
  spec?: IngressSpec | undefined;
  /** status is the current state of the Ingress. */
  status?: IngressStatus | undefined;
}
export const Ingress: Resource<Ingress> = /* @__PURE__ */ externalResource<Ingress>({ group: 'networking.k8s.io', version: 'v1', kind: 'Ingress', plural: 'ingresses', scope: 'Namespaced' });

/** IngressBackend describes all endpoints for a given service and port. */
export interface IngressBackend {
  /** resource is an ObjectRef to another Kubernetes resource in the namespace of the Ingress object. */
  resource?: core_v1.TypedLocalObjectReference | undefined;
  /** service references a service as a backend. */
  service?: IngressServiceBackend | undefined;
}

/** IngressClass represents the class of the Ingress, referenced by the Ingress Spec. */
export interface IngressClass extends KubeObject<'networking.k8s.io/v1', 'IngressClass'> {
  /** spec is the desired state of the IngressClass. */
  spec?: IngressClassSpec | undefined;
}
export const IngressClass: Resource<IngressClass> = /* @__PURE__ */ externalResource<IngressClass>({ group: 'networking.k8s.io', version: 'v1', kind: 'IngressClass', plural: 'ingressclasses', scope: 'Cluster' });

/** IngressClassParametersReference identifies an API object. */
export interface IngressClassParametersReference {
  /** apiGroup is the group for the resource being referenced. */
  apiGroup?: string | undefined;
  /** kind is the type of resource being referenced. */
  kind: string;
  /** name is the name of resource being referenced. */
  name: string;
  /** namespace is the namespace of the resource being referenced. */
  namespace?: string | undefined;
  /** scope represents if this refers to a cluster or namespace scoped resource. */
  scope?: string | undefined;
}

/** IngressClassSpec provides information about the class of an Ingress. */
export interface IngressClassSpec {
  /** controller refers to the name of the controller that should handle this class. */
  controller?: string | undefined;
  /** parameters is a link to a custom resource containing additional configuration for the controller. */
  parameters?: IngressClassParametersReference | undefined;
}

/** IngressLoadBalancerIngress represents the status of a load-balancer ingress point. */
export interface IngressLoadBalancerIngress {
  /** hostname is set for load-balancer ingress points that are DNS based. */
  hostname?: string | undefined;
  /** ip is set for load-balancer ingress points that are IP based. */
  ip?: string | undefined;
  /** ports provides information about the ports exposed by this LoadBalancer. */
  ports?: IngressPortStatus[] | undefined;
}

/** IngressLoadBalancerStatus represents the status of a load-balancer. */
export interface IngressLoadBalancerStatus {
  /** ingress is a list containing ingress points for the load-balancer. */
  ingress?: IngressLoadBalancerIngress[] | undefined;
}

/** IngressPortStatus represents the error condition of a service port */
export interface IngressPortStatus {
  /** error is to record the problem with the service port The format of the error shall comply with the following rules: - built-in error values shall be specified in this file and those shall use CamelCase names - cloud provider specific error … */
  error?: string | undefined;
  /** port is the port number of the ingress port. */
  port: Int32;
  /** protocol is the protocol of the ingress port. */
  protocol: 'SCTP' | 'TCP' | 'UDP';
}

/** IngressRule represents the rules mapping the paths under a specified host to the related backend services. */
export interface IngressRule {
  /** host is the fully qualified domain name of a network host, as defined by RFC 3986. */
  host?: string | undefined;
  /** http is a HTTP IngressRuleValue, which contains a list of http selectors */
  http?: HTTPIngressRuleValue | undefined;
}

/** IngressServiceBackend references a Kubernetes Service as a Backend. */
export interface IngressServiceBackend {
  /** name is the referenced service. */
  name: string;
  /** port of the referenced service. */
  port?: ServiceBackendPort | undefined;
}

/** IngressSpec describes the Ingress the user wishes to exist. */
export interface IngressSpec {
  /** defaultBackend is the backend that should handle requests that don't match any rule. */
  defaultBackend?: IngressBackend | undefined;
  /** ingressClassName is the name of an IngressClass cluster resource. */
  ingressClassName?: string | undefined;
  /** rules is a list of host rules used to configure the Ingress. */
  rules?: IngressRule[] | undefined;
  /** tls represents the TLS configuration. */
  tls?: IngressTLS[] | undefined;
}

/** IngressStatus describe the current state of the Ingress. */
export interface IngressStatus {
  /** loadBalancer contains the current status of the load-balancer. */
  loadBalancer?: IngressLoadBalancerStatus | undefined;
}

/** IngressTLS describes the transport layer security associated with an ingress. */
export interface IngressTLS {
  /** hosts is a list of hosts included in the TLS certificate. */
  hosts?: string[] | undefined;
  /** secretName is the name of the secret used to terminate TLS traffic on port 443. */
  secretName?: string | undefined;
}

/** NetworkPolicy describes what network traffic is allowed for a set of Pods */
export interface NetworkPolicy extends KubeObject<'networking.k8s.io/v1', 'NetworkPolicy'> {
  /** spec represents the specification of the desired behavior for this NetworkPolicy. */
  spec?: NetworkPolicySpec | undefined;
}
export const NetworkPolicy: Resource<NetworkPolicy> = /* @__PURE__ */ externalResource<NetworkPolicy>({ group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy', plural: 'networkpolicies', scope: 'Namespaced' });

/** NetworkPolicyEgressRule describes a particular set of traffic that is allowed out of pods matched by a NetworkPolicySpec's podSelector. */
export interface NetworkPolicyEgressRule {
  /** ports is a list of destination ports for outgoing traffic. */
  ports?: NetworkPolicyPort[] | undefined;
  /** to is a list of destinations for outgoing traffic of pods selected for this rule. */
  to?: NetworkPolicyPeer[] | undefined;
}

/** NetworkPolicyIngressRule describes a particular set of traffic that is allowed to the pods matched by a NetworkPolicySpec's podSelector. */
export interface NetworkPolicyIngressRule {
  /** from is a list of sources which should be able to access the pods selected for this rule. */
  from?: NetworkPolicyPeer[] | undefined;
  /** ports is a list of ports which should be made accessible on the pods selected for this rule. */
  ports?: NetworkPolicyPort[] | undefined;
}

/** NetworkPolicyPeer describes a peer to allow traffic to/from. */
export interface NetworkPolicyPeer {
  /** ipBlock defines policy on a particular IPBlock. */
  ipBlock?: IPBlock | undefined;
  /** namespaceSelector selects namespaces using cluster-scoped labels. */
  namespaceSelector?: meta_v1.LabelSelector | undefined;
  /** podSelector is a label selector which selects pods. */
  podSelector?: meta_v1.LabelSelector | undefined;
}

/** NetworkPolicyPort describes a port to allow traffic on */
export interface NetworkPolicyPort {
  /** endPort indicates that the range of ports from port to endPort if set, inclusive, should be allowed by the policy. */
  endPort?: Int32 | undefined;
  /** port represents the port on the given protocol. */
  port?: IntOrString | undefined;
  /** protocol represents the protocol (TCP, UDP, or SCTP) which traffic must match. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
}

/** NetworkPolicySpec provides the specification of a NetworkPolicy */
export interface NetworkPolicySpec {
  /** egress is a list of egress rules to be applied to the selected pods. */
  egress?: NetworkPolicyEgressRule[] | undefined;
  /** ingress is a list of ingress rules to be applied to the selected pods. */
  ingress?: NetworkPolicyIngressRule[] | undefined;
  /** podSelector selects the pods to which this NetworkPolicy object applies. */
  podSelector?: meta_v1.LabelSelector | undefined;
  /** policyTypes is a list of rule types that the NetworkPolicy relates to. */
  policyTypes?: ('Egress' | 'Ingress')[] | undefined;
}

/** ParentReference describes a reference to a parent object. */
export interface ParentReference {
  /** group is the group of the object being referenced. */
  group?: string | undefined;
  /** name is the name of the object being referenced. */
  name: string;
  /** namespace is the namespace of the object being referenced. */
  namespace?: string | undefined;
  /** resource is the resource of the object being referenced. */
  resource: string;
}

/** ServiceBackendPort is the service port being referenced. */
export interface ServiceBackendPort {
  /** name is the name of the port on the Service. */
  name?: string | undefined;
  /** number is the numerical port number (e.g. 80) on the Service. */
  number?: Int32 | undefined;
}

/** ServiceCIDR defines a range of IP addresses using CIDR format (e.g. 192.168.0.0/24 or 2001:db2::/64). */
export interface ServiceCIDR extends KubeObject<'networking.k8s.io/v1', 'ServiceCIDR'> {
  /** spec is the desired state of the ServiceCIDR. */
  spec?: ServiceCIDRSpec | undefined;
  /** status represents the current state of the ServiceCIDR. */
  status?: ServiceCIDRStatus | undefined;
}
export const ServiceCIDR: Resource<ServiceCIDR> = /* @__PURE__ */ externalResource<ServiceCIDR>({ group: 'networking.k8s.io', version: 'v1', kind: 'ServiceCIDR', plural: 'servicecidrs', scope: 'Cluster' });

/** ServiceCIDRSpec define the CIDRs the user wants to use for allocating ClusterIPs for Services. */
export interface ServiceCIDRSpec {
  /** cidrs defines the IP blocks in CIDR notation (e.g. "192.168.0.0/24" or "2001:db8::/64") from which to assign service cluster IPs. */
  cidrs?: string[] | undefined;
}

/** ServiceCIDRStatus describes the current state of the ServiceCIDR. */
export interface ServiceCIDRStatus {
  /** conditions holds an array of metav1.Condition that describe the state of the ServiceCIDR. */
  conditions?: Condition[] | undefined;
}
