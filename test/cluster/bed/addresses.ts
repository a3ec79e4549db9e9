/** Addresses and ports in the bed's own network. */
export const addresses = {
  /** The node and the API server. A kubelet accepts no loopback address. */
  node: '10.199.0.1',
  api: 'https://10.199.0.1:6443',
  /** The first of {@link addresses.services}: the Service of the API server. */
  apiService: '10.96.0.1',
  dns: '10.96.0.10',
  services: '10.96.0.0/16',
  pods: '10.244.0.0/24',
  etcd: 'http://127.0.0.1:2379',
  registry: '127.0.0.1:5055',
} as const;
