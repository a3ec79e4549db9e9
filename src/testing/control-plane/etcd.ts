import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createCertificateAuthority } from '../../sdk/x509/certificate-authority.ts';
import { freePort } from './ports.ts';

/** Where the etcd of a control plane listens, and how its API server reaches it: nobody else can. */
export interface EtcdAddress {
  readonly etcdFlags: readonly string[];
  readonly apiServerFlags: readonly string[];
  /** True once etcd accepts connections. @throws Error while it does not */
  isReady(): Promise<boolean>;
}

/**
 * Etcd knows no users: whoever reaches it reads and writes everything. On Unix it listens on sockets in the folder of the control plane, which
 * only its owner may enter; on Windows on the loopback, for certificates of an authority of its own.
 *
 * @param folder of the control plane, with mode 0700; the working folder of both programs
 */
export function etcdAddress(folder: string): Promise<EtcdAddress> {
  return process.platform === 'win32' ? etcdWithCertificates(folder) : Promise.resolve(etcdOnSockets(folder));
}

/** Relative names: a path of a socket has at most 104 bytes. The number belongs to the name. */
function etcdOnSockets(folder: string): EtcdAddress {
  const client = 'etcd:1';
  return {
    etcdFlags: [
      `--listen-client-urls=unix://${client}`,
      `--advertise-client-urls=unix://${client}`,
      '--listen-peer-urls=unix://etcd-peer:1',
    ],
    apiServerFlags: [`--etcd-servers=unix://${client}`],
    isReady: async () => (await stat(join(folder, client))).isSocket(),
  };
}

/** Clients and the member itself show a certificate of an authority that signs nothing else. */
export async function etcdWithCertificates(folder: string): Promise<EtcdAddress> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const authority = createCertificateAuthority('op-sdk-testenv-etcd-ca');
  const server = authority.issue({ commonName: 'etcd', usage: 'server', ipAddresses: ['127.0.0.1'] });
  const client = authority.issue({ commonName: 'kube-apiserver', usage: 'client' });
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const ca = await write('etcd-ca.crt', authority.certificate);
  const [certificate, key] = [
    await write('etcd.crt', server.certificate),
    await write('etcd.key', server.key),
  ];
  const clientCertificate = await write('etcd-client.crt', client.certificate);
  const clientKey = await write('etcd-client.key', client.key);
  const url = `https://127.0.0.1:${port}`;
  return {
    etcdFlags: [
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=https://127.0.0.1:${peerPort}`,
      ...['', 'peer-'].flatMap((of) => [
        `--${of}cert-file=${certificate}`,
        `--${of}key-file=${key}`,
        `--${of}trusted-ca-file=${ca}`,
        `--${of}client-cert-auth`,
      ]),
      // Its own client would have to show a certificate.
      '--enable-grpc-gateway=false',
    ],
    apiServerFlags: [
      `--etcd-servers=${url}`,
      `--etcd-cafile=${ca}`,
      `--etcd-certfile=${clientCertificate}`,
      `--etcd-keyfile=${clientKey}`,
    ],
    isReady: () => accepts(port, { ca: authority.certificate, cert: client.certificate, key: client.key }),
  };
}

function accepts(
  port: number,
  credentials: { readonly ca: string; readonly cert: string; readonly key: string },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ...credentials }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', reject);
  });
}
