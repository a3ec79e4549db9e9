import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addresses } from './addresses.ts';
import type { ClusterApi } from './cluster-api.ts';
import type { ProgramFolders } from './control-plane-programs.ts';
import type { Credentials } from './credentials.ts';
import { supervise, type Supervised } from './supervised.ts';

const readyAddress = '127.0.0.1:8181';

/**
 * Starts CoreDNS on the first node, outside of Pods so that no image has to be made for it. It knows the cluster's names; every other name
 * does not exist, because the bed's network leads nowhere.
 */
export function startDns({ folder, dns }: ProgramFolders, { file }: Credentials): Supervised {
  const config = `cluster.local:53 in-addr.arpa:53 ip6.arpa:53 {
  bind ${addresses.node}
  errors
  ready ${readyAddress}
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${file('dns.kubeconfig')} bed
    pods insecure
  }
}

.:53 {
  bind ${addresses.node}
  errors
  template ANY ANY . {
    rcode NXDOMAIN
  }
}
`;
  const path = join(folder, 'Corefile');
  writeFileSync(path, config);
  return supervise({ folder, name: 'dns', command: join(dns, 'coredns'), args: ['-conf', path] });
}

/** Returns true once the name server knows all Services. */
export async function isDnsReady(): Promise<boolean> {
  return (await fetch(`http://${readyAddress}/ready`)).ok;
}

/** Creates the Service of the name server, as clusters have it: `kube-dns` in kube-system. Its namespace must exist. */
export async function createDnsService(api: ClusterApi): Promise<void> {
  const metadata = {
    name: 'kube-dns',
    labels: { 'k8s-app': 'kube-dns', 'kubernetes.io/service-name': 'kube-dns' },
  };
  const ports = [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
  ];
  await api.call('POST', '/api/v1/namespaces/kube-system/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { clusterIP: addresses.dns, ports },
  });
  await api.call('POST', '/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata,
    addressType: 'IPv4',
    endpoints: [{ addresses: [addresses.node], conditions: { ready: true } }],
    ports,
  });
}
