import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import { createCertificateAuthority, type KeyPair } from '../../../src/sdk/x509/certificate-authority.ts';
import { addresses, firstNode, secondNode } from './addresses.ts';

/** Certificates of a cluster, and what the bed's programs read them from. */
export interface Credentials {
  readonly caCertificate: string;
  readonly admin: KeyPair;
  /** The path of a file, such as `ca.crt`, `node1.key` or `kubelet-node1.kubeconfig`. */
  readonly file: (name: string) => string;
}

/** Makes an authority, the certificates of the programs, their kubeconfigs and the keys of ServiceAccounts. */
export function createCredentials(folder: string): Credentials {
  const pki = join(folder, 'pki');
  mkdirSync(pki, { mode: 0o700 });
  const file = (name: string): string => join(pki, name);
  const write = (name: string, text: string): void => writeFileSync(file(name), text, { mode: 0o600 });
  const authority = createCertificateAuthority('op-sdk-cluster-ca');
  write('ca.crt', authority.certificate);
  write('ca.key', authority.key);
  const writePair = (name: string, { certificate, key }: KeyPair): void => {
    write(`${name}.crt`, certificate);
    write(`${name}.key`, key);
  };
  const { node, apiService, api } = addresses;
  const dnsNames = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  const ipAddresses = ['127.0.0.1', node, apiService];
  writePair(
    'apiserver',
    authority.issue({ commonName: 'kube-apiserver', usage: 'server', dnsNames, ipAddresses }),
  );
  const client = (name: string, commonName: string, organizations: readonly string[] = []): KeyPair => {
    const pair = authority.issue({ commonName, organizations, usage: 'client' });
    writePair(name, pair);
    write(`${name}.kubeconfig`, kubeconfigText(api, authority.certificate, pair));
    return pair;
  };
  const admin = client('admin', 'admin', ['system:masters']);
  client('apiserver-kubelet', 'kube-apiserver-kubelet', ['system:masters']);
  client('controller-manager', 'system:kube-controller-manager');
  client('scheduler', 'system:kube-scheduler');
  client('proxy', 'system:kube-proxy');
  client('dns', 'bed:dns', ['system:masters']);
  for (const { name, address } of [firstNode, secondNode]) {
    writePair(name, authority.issue({ commonName: name, usage: 'server', ipAddresses: [address] }));
    client(`kubelet-${name}`, `system:node:${name}`, ['system:nodes']);
  }
  const serviceAccounts = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  write('service-account.pub', serviceAccounts.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  write(
    'service-account.key',
    serviceAccounts.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  return { caCertificate: authority.certificate, admin, file };
}

function kubeconfigText(server: string, caCertificate: string, { certificate, key }: KeyPair): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bed', cluster: { server, 'certificate-authority-data': base64(caCertificate) } }],
    users: [
      {
        name: 'bed',
        user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) },
      },
    ],
    contexts: [{ name: 'bed', context: { cluster: 'bed', user: 'bed' } }],
    'current-context': 'bed',
  });
}
