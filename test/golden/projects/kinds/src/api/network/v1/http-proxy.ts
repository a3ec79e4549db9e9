import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** HTTPProxySpec defines the desired state of HTTPProxy. */
export interface HTTPProxySpec {
  /** Foo is an example field of HTTPProxy. Replace it by fields of yours. */
  foo?: string;
}

/** HTTPProxyStatus defines the observed state of HTTPProxy. */
export interface HTTPProxyStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** HTTPProxy is the Schema for the httpproxys API. */
export interface HTTPProxy extends CustomResource<'network.example.com/v1', 'HTTPProxy'> {
  spec: HTTPProxySpec;
  status?: HTTPProxyStatus;
}

export const HTTPProxy = defineResource<HTTPProxy>({
  group: 'network.example.com',
  version: 'v1',
  kind: 'HTTPProxy',
  plural: 'httpproxys',
  scope: 'Cluster',
  storage: true,
});
