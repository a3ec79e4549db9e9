// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as core_v1 from '../core/v1.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Int32 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** Endpoint represents a single logical "backend" implementing a service. */
export interface Endpoint {
  /** addresses of this endpoint. */
  addresses: string[];
  /** conditions contains information about the current status of the endpoint. */
  conditions?: EndpointConditions | undefined;
  /** deprecatedTopology contains topology information part of the v1beta1 API. */
  deprecatedTopology?: Record<string, string> | undefined;
  /** hints contains information associated with how an endpoint should be consumed. */
  hints?: EndpointHints | undefined;
  /** hostname of this endpoint. */
  hostname?: string | undefined;
  /** nodeName represents the name of the Node hosting this endpoint. */
  nodeName?: string | undefined;
  /** targetRef is a reference to a Kubernetes object that represents this endpoint. */
  targetRef?: core_v1.ObjectReference | undefined;
  /** zone is the name of the Zone this endpoint exists in. */
  zone?: string | undefined;
}

/** EndpointConditions represents the current condition of an endpoint. */
export interface EndpointConditions {
  /** ready indicates that this endpoint is ready to receive traffic, according to whatever system is managing the endpoint. */
  ready?: boolean | undefined;
  /** serving indicates that this endpoint is able to receive traffic, according to whatever system is managing the endpoint. */
  serving?: boolean | undefined;
  /** terminating indicates that this endpoint is terminating. */
  terminating?: boolean | undefined;
}

/** EndpointHints provides hints describing how an endpoint should be consumed. */
export interface EndpointHints {
  /** forNodes indicates the node(s) this endpoint should be consumed by when using topology aware routing. */
  forNodes?: ForNode[] | undefined;
  /** forZones indicates the zone(s) this endpoint should be consumed by when using topology aware routing. */
  forZones?: ForZone[] | undefined;
}

/** EndpointPort represents a Port used by an EndpointSlice */
export interface EndpointPort {
  /** The application protocol for this port. */
  appProtocol?: string | undefined;
  /** name represents the name of this port. */
  name?: string | undefined;
  /** port represents the port number of the endpoint. */
  port?: Int32 | undefined;
  /** protocol represents the IP protocol for this port. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
}

/** EndpointSlice represents a set of service endpoints. */
export interface EndpointSlice extends KubeObject<'discovery.k8s.io/v1', 'EndpointSlice'> {
  /** addressType specifies the type of address carried by this EndpointSlice. */
  addressType: 'FQDN' | 'IPv4' | 'IPv6';
  /** endpoints is a list of unique endpoints in this slice. */
  endpoints?: Endpoint[] | undefined;
  /** ports specifies the list of network ports exposed by each endpoint in this slice. */
  ports?: EndpointPort[] | undefined;
}
export const EndpointSlice: Resource<EndpointSlice> = /* @__PURE__ */ externalResource<EndpointSlice>({ group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice', plural: 'endpointslices', scope: 'Namespaced' });

/** ForNode provides information about which nodes should consume this endpoint. */
export interface ForNode {
  /** name represents the name of the node. */
  name: string;
}

/** ForZone provides information about which zones should consume this endpoint. */
export interface ForZone {
  /** name represents the name of the zone. */
  name: string;
}
