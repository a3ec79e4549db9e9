/** Addresses and ports in the bed's own network. */
export const addresses = {
  /** The first node and the API server. A kubelet accepts no loopback address. */
  node: '10.199.0.1',
  api: 'https://10.199.0.1:6443',
  /** The first of {@link addresses.services}: the Service of the API server. */
  apiService: '10.96.0.1',
  /** The Service of the name server. */
  dns: '10.96.0.10',
  services: '10.96.0.0/16',
  /** Pods of all nodes. */
  pods: '10.244.0.0/16',
  etcd: 'http://127.0.0.1:2379',
  /** Name of the registry in references of images. On each node it is a mirror of {@link addresses.registryHost}. */
  registry: '127.0.0.1:5055',
  registryHost: '10.199.0.1:5055',
} as const;

/** A node, as the bed can have it. */
export interface BedNode {
  readonly name: string;
  readonly address: string;
  /** Addresses of its Pods. */
  readonly pods: string;
}

/** The node that the bed always has. */
export const firstNode: BedNode = { name: 'node1', address: addresses.node, pods: '10.244.0.0/24' };

/** The node that a test can add. */
export const secondNode: BedNode = { name: 'node2', address: '10.199.0.2', pods: '10.244.1.0/24' };
