import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CertificateAuthority } from '../../sdk/x509/certificate-authority.ts';
import type { LogSelection } from './container-log.ts';
import type { PodMachine } from './pod-machine.ts';

/** Common name of the certificate with which the API server asks kubelets. Nobody else is answered. */
export const kubeletClientName = 'op-sdk-testenv-kubelet-client';

interface KubeletServerOptions {
  /** Authority of the control plane. */
  readonly authority: CertificateAuthority;
  /** Returns a Pod of a node that is up. */
  readonly find: (namespace: string, pod: string) => PodMachine | undefined;
}

/**
 * Answers the requests that the API server passes on to kubelets, for all nodes of a control plane: the logs of containers. Serves on
 * 127.0.0.1, for the API server alone.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/server/server.go
 */
export class KubeletServer {
  readonly #server: Server;
  readonly #options: KubeletServerOptions;

  private constructor(options: KubeletServerOptions) {
    this.#options = options;
    const { authority } = options;
    const { certificate, key } = authority.issue({
      commonName: 'kubelet',
      usage: 'server',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
    });
    const tls = { cert: certificate, key, ca: authority.certificate, requestCert: true };
    this.#server = createServer(tls, (request, response) => this.#serve(request, response));
  }

  /** Starts a server. The caller must `close` it. */
  static async open(options: KubeletServerOptions): Promise<KubeletServer> {
    const kubelet = new KubeletServer(options);
    await new Promise<void>((resolve, reject) => {
      kubelet.#server.once('error', reject);
      kubelet.#server.listen(0, '127.0.0.1', resolve);
    });
    return kubelet;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (!isApiServer(request)) return answer(response, 403, 'only the API server is answered');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://kubelet');
    const [, verb = '', namespace = '', pod = '', container = ''] = pathname.split('/');
    if (verb !== 'containerLogs')
      return answer(
        response,
        501,
        `nodes of a test control plane have no ${verb}: containers only pretend to run`,
      );
    const machine = this.#options.find(namespace, pod);
    if (machine === undefined) return answer(response, 404, `pod "${pod}" not found`);
    sendLog(response, machine, container, searchParams);
  }
}

function isApiServer({ socket }: IncomingMessage): boolean {
  const { authorized } = socket as TLSSocket;
  return authorized && (socket as TLSSocket).getPeerCertificate().subject.CN === kubeletClientName;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
}

function sendLog(
  response: ServerResponse,
  machine: PodMachine,
  container: string,
  query: URLSearchParams,
): void {
  const isFormer = query.get('previous') === 'true';
  const log = machine.logOf(container, isFormer);
  if (log === undefined) {
    const { name } = machine.pod.metadata;
    const reason = isFormer
      ? `previous terminated container "${container}" in pod "${name}" not found`
      : `container "${container}" in pod "${name}" is waiting to start: ${machine.waitReason(container)}`;
    return answer(response, 400, reason);
  }
  const selection = selectionOf(query);
  response.writeHead(200, { 'content-type': 'text/plain' });
  const limit = query.get('limitBytes');
  if (query.get('follow') !== 'true') {
    const text = Buffer.from(log.read(selection));
    response.end(limit === null ? text : text.subarray(0, Number(limit)));
    return;
  }
  response.flushHeaders();
  let rest = limit === null ? Infinity : Number(limit);
  const stop = log.follow(
    selection,
    (text) => {
      const bytes = Buffer.from(text);
      response.write(bytes.subarray(0, Math.min(rest, bytes.length)));
      rest -= bytes.length;
      if (rest <= 0) response.end();
    },
    () => response.end(),
  );
  response.once('close', stop);
}

function selectionOf(query: URLSearchParams): LogSelection {
  const [tail, seconds, time] = ['tailLines', 'sinceSeconds', 'sinceTime'].map((name) => query.get(name));
  const since =
    seconds != null
      ? new Date(Date.now() - Number(seconds) * 1000)
      : time != null
        ? new Date(time)
        : undefined;
  return {
    tailLines: tail == null ? undefined : Number(tail),
    since,
    timestamps: query.get('timestamps') === 'true',
  };
}
