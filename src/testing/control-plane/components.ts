import { stat, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCertificateAuthority } from '../../sdk/x509/certificate-authority.ts';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import type { GuardedProcess } from '../../base/process/guardian.ts';
import { freePort } from './ports.ts';
import { PortTaken, startComponent, type ComponentHost } from './component.ts';
import type { AuditEvent, AuditPolicy } from './types.ts';

/** Address of a control plane's etcd, accessible only to its API server. */
export interface EtcdAddress {
  readonly etcdFlags: readonly string[];
  readonly apiServerFlags: readonly string[];
  /**
   * Returns true once etcd accepts connections.
   * @throws Error before
   */
  isReady(): Promise<boolean>;
}

/**
 * Returns the address of etcd. Etcd has no users: every client that reaches it can read and write everything. On Unix it listens on sockets
 * in the folder of the control plane, which only its owner may enter; on Windows on the loopback interface, where it requires certificates
 * of a separate authority.
 *
 * @param folder of the control plane, with mode 0700; the working folder of both programs
 */
export function etcdAddress(folder: string): Promise<EtcdAddress> {
  return process.platform === 'win32' ? etcdWithCertificates(folder) : Promise.resolve(etcdOnSockets(folder));
}

/** Uses relative names, because a socket path has at most 104 bytes. The port number is part of the file name. */
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

/** Requires from clients and the member itself a certificate of an authority that signs nothing else. */
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
      // The gateway's client would need a certificate.
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

/** The kube-apiserver of one control plane; it can be killed and restarted. */
export class ApiServer {
  readonly #host: ComponentHost;
  readonly #flags: readonly string[];
  readonly #endpoint: ApiEndpoint;
  #process: GuardedProcess | undefined;

  constructor(host: ComponentHost, flags: readonly string[], endpoint: ApiEndpoint) {
    this.#host = host;
    this.#flags = flags;
    this.#endpoint = endpoint;
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exit === undefined;
  }

  /** Resolves when `/readyz` succeeds and the `default` namespace exists. */
  async start(): Promise<void> {
    await this.#start(this.#host);
  }

  async #start(host: ComponentHost): Promise<void> {
    this.#process = await startComponent(host, 'kube-apiserver', this.#flags, async () => {
      const ready = await apiRequest(this.#endpoint, { path: '/readyz' });
      if (ready.status !== 200) return false;
      const namespace = await apiRequest(this.#endpoint, { path: '/api/v1/namespaces/default' });
      return namespace.status === 200;
    });
  }

  /** Sends a signal. After SIGKILL and SIGTERM, waits until the process has ended. */
  async signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const running = this.#process;
    if (running === undefined) return;
    const ends = signal === 'SIGKILL' || signal === 'SIGTERM';
    if (ends) this.#host.ending.expect(running);
    running.kill(signal);
    if (ends) await running.exited;
  }

  /** Restarts the server with the same flags and port. If another process has taken the port in the meantime, waits for it. */
  async restart(): Promise<void> {
    await this.signal('SIGKILL');
    // The signal applies only to the first start.
    const host = { ...this.#host, signal: undefined };
    const deadline = performance.now() + host.startTimeout;
    for (;;) {
      try {
        return await this.#start(host);
      } catch (error) {
        if (!(error instanceof PortTaken) || performance.now() > deadline) throw error;
        await sleep(200);
      }
    }
  }
}

/** Location of a control plane's audit log, and its policy. */
interface AuditFiles {
  readonly policyFile: string;
  readonly logFile: string;
}

const everyRequest: AuditPolicy = { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] };

/** Writes the policy file; returns undefined without an audit log. */
export async function prepareAudit(
  folder: string,
  audit: boolean | AuditPolicy | undefined,
): Promise<AuditFiles | undefined> {
  if (audit === undefined || audit === false) return undefined;
  const policyFile = join(folder, 'audit-policy.json');
  const policy = audit === true ? everyRequest : audit;
  await writeFile(policyFile, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy }));
  return { policyFile, logFile: join(folder, 'audit.log') };
}

/** The events in an audit log; a last line that is still being written is left for the next call. */
export async function readAuditLog(file: string): Promise<readonly AuditEvent[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditEvent);
}
