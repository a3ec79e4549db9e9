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

/** Address of a control plane's etcd, as flags. Only the API server of the same control plane can reach this etcd. */
export interface EtcdAddress {
  readonly etcdFlags: readonly string[];
  readonly apiServerFlags: readonly string[];
  /**
   * Resolves to true once etcd accepts connections.
   * @throws Error until then
   */
  isReady(): Promise<boolean>;
}

/**
 * Returns the address of etcd. Etcd has no users, so every client that reaches it can read and write everything. On Unix, etcd listens on
 * sockets in the folder of the control plane, which only the folder's owner may enter. On Windows, etcd listens on the loopback interface
 * and requires certificates of a separate authority.
 *
 * @param folder folder of the control plane, with mode 0700; the working folder of etcd and kube-apiserver
 */
export function etcdAddress(folder: string): Promise<EtcdAddress> {
  return process.platform === 'win32' ? etcdWithCertificates(folder) : Promise.resolve(etcdOnSockets(folder));
}

/**
 * Makes etcd listen on Unix sockets. Uses relative file names, because a socket path has at most 104 bytes. The port number is part of the
 * file name.
 */
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

/**
 * Makes etcd require a certificate from its clients and from the etcd member itself. The certificates come from an authority that signs
 * nothing else.
 */
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
      // The gRPC gateway of etcd is off, because the gateway's own client would need a certificate.
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

/** The kube-apiserver process of one control plane; it can be killed and restarted. */
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

  /** Starts the server. Resolves when `/readyz` succeeds and the `default` namespace exists. */
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

  /** Sends a signal to the server process. After SIGKILL and SIGTERM, waits until the process has ended. */
  async signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const running = this.#process;
    if (running === undefined) return;
    const ends = signal === 'SIGKILL' || signal === 'SIGTERM';
    if (ends) this.#host.ending.expect(running);
    running.kill(signal);
    if (ends) await running.exited;
  }

  /**
   * Restarts the server with the same flags and port. If another process has taken the port in the meantime, waits until the port is free.
   */
  async restart(): Promise<void> {
    await this.signal('SIGKILL');
    // The abort signal of the caller applies only to the first start.
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

/** Paths of a control plane's audit log file and audit policy file. */
interface AuditFiles {
  readonly policyFile: string;
  readonly logFile: string;
}

const everyRequest: AuditPolicy = { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] };

/** Writes the audit policy file. Returns undefined if `audit` requests no audit log. */
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

/** Returns the events in an audit log. A last line that is still being written is left for the next call. */
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
