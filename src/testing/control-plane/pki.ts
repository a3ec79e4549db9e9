import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createCertificateAuthority,
  type CertificateAuthority,
  type KeyPair,
} from '../../sdk/x509/certificate-authority.ts';
import { kubeletClientName } from '../node/index.ts';

/** Certificates and keys of one control plane. One certificate authority signs the certificates of servers and clients. */
export interface Pki {
  readonly authority: CertificateAuthority;
  readonly admin: KeyPair;
  readonly controllerManager: KeyPair;
  /** Key pair of the user that creates the default ServiceAccounts in place of the controller manager. */
  readonly serviceAccounts: KeyPair;
  readonly files: {
    readonly ca: string;
    readonly servingCertificate: string;
    readonly servingKey: string;
    readonly serviceAccountPublicKey: string;
    readonly serviceAccountKey: string;
    /** Certificate and key with which the API server asks kubelets. */
    readonly kubeletClientCertificate: string;
    readonly kubeletClientKey: string;
  };
}

/** Common name of the certificate authority of every control plane. */
export const authorityName = 'op-sdk-testenv-ca';

/** Creates the certificates and keys. Writes those that components read from files to `folder`. */
export async function createPki(folder: string): Promise<Pki> {
  const authority = createCertificateAuthority(authorityName);
  const serving = authority.issue({
    commonName: 'kube-apiserver',
    usage: 'server',
    dnsNames: [
      'localhost',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
    ],
    ipAddresses: ['127.0.0.1', '::1', '10.0.0.1'],
  });
  const kubeletClient = authority.issue({ commonName: kubeletClientName, usage: 'client' });
  const serviceAccounts = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const contents = {
    'ca.crt': authority.certificate,
    'serving.crt': serving.certificate,
    'serving.key': serving.key,
    'service-account.pub': serviceAccounts.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    'service-account.key': serviceAccounts.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'kubelet-client.crt': kubeletClient.certificate,
    'kubelet-client.key': kubeletClient.key,
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(contents)) {
    await writeFile(join(folder, name), content, { mode: 0o600 });
  }
  const file = (name: keyof typeof contents): string => join(folder, name);
  return {
    authority,
    admin: authority.issue({
      commonName: 'op-sdk-testenv-admin',
      organizations: ['system:masters'],
      usage: 'client',
    }),
    controllerManager: authority.issue({ commonName: 'system:kube-controller-manager', usage: 'client' }),
    // A separate user name, so that the requests for ServiceAccounts are recognisable in the audit log.
    serviceAccounts: authority.issue({
      commonName: 'op-sdk-testenv-service-accounts',
      organizations: ['system:masters'],
      usage: 'client',
    }),
    files: {
      ca: file('ca.crt'),
      servingCertificate: file('serving.crt'),
      servingKey: file('serving.key'),
      serviceAccountPublicKey: file('service-account.pub'),
      serviceAccountKey: file('service-account.key'),
      kubeletClientCertificate: file('kubelet-client.crt'),
      kubeletClientKey: file('kubelet-client.key'),
    },
  };
}
