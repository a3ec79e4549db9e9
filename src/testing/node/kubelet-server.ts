import { createServer, type Server } from 'node:https';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { WebSocket, WebSocketServer } from 'ws';
import type { CertificateAuthority } from '../../sdk/x509/certificate-authority.ts';
import type { LogSelection } from './container-log.ts';
import type { ContainerCommand } from './container-runtime.ts';
import type { PodMachine } from './pod-machine.ts';
import { serveCommand, servePort, streamingServer } from './streaming-server.ts';

/** Common name of the certificate that the API server presents to kubelets. Requests with any other certificate are refused. */
export const kubeletClientName = 'op-sdk-testenv-kubelet-client';

const pretends = (pod: string): string =>
  `pod "${pod}" pretends to run and has no process: give its image one with nodes.runProcesses of startControlPlane`;

interface KubeletServerOptions {
  /** Authority of the control plane. */
  readonly authority: CertificateAuthority;
  /** Returns a Pod of a node that is up. */
  readonly find: (namespace: string, pod: string) => PodMachine | undefined;
}

/**
 * Answers the requests that the API server passes on to kubelets, for all nodes of a control plane: the logs of containers, and commands
 * and ports of those that have a process. Serves on 127.0.0.1, for the API server alone.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/server/server.go
 */
export class KubeletServer {
  readonly #server: Server;
  readonly #options: KubeletServerOptions;
  readonly #streams: WebSocketServer;

  private constructor(options: KubeletServerOptions, streams: WebSocketServer) {
    this.#options = options;
    this.#streams = streams;
    const { authority } = options;
    const { certificate, key } = authority.issue({
      commonName: 'kubelet',
      usage: 'server',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
    });
    const tls = { cert: certificate, key, ca: authority.certificate, requestCert: true };
    this.#server = createServer(tls, (request, response) => this.#serve(request, response));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
  }

  /** Starts a server. The caller must `close` it. */
  static async open(options: KubeletServerOptions): Promise<KubeletServer> {
    const kubelet = new KubeletServer(options, await streamingServer());
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
    for (const webSocket of this.#streams.clients) webSocket.terminate();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (!isApiServer(request)) return answer(response, 403, 'only the API server is answered');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://kubelet');
    const [, verb = '', namespace = '', pod = '', container = ''] = pathname.split('/');
    if (verb !== 'containerLogs')
      return answer(response, 501, `nodes of a test control plane do not serve ${verb}`);
    const machine = this.#options.find(namespace, pod);
    if (machine === undefined) return answer(response, 404, `pod "${pod}" not found`);
    sendLog(response, machine, container, searchParams);
  }

  /** Answers requests for commands and ports: `/exec/NAMESPACE/POD/CONTAINER` and `/portForward/NAMESPACE/POD`. */
  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!isApiServer(request)) return refuse(socket, 403, 'only the API server is answered');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://kubelet');
    const [, verb = '', namespace = '', pod = '', ...rest] = pathname.split('/');
    if (verb !== 'exec' && verb !== 'portForward')
      return refuse(socket, 501, `nodes of a test control plane do not serve ${verb}`);
    // A kubelet offers no media type for streams, so only clients that accept every media type get them.
    if (!(request.headers.accept ?? '*/*').includes('*/*'))
      return refuse(socket, 406, '406: Not Acceptable\n\nAvailable representations: ');
    if (request.headers.upgrade?.toLowerCase() !== 'websocket')
      return refuse(
        socket,
        501,
        `nodes of a test control plane serve ${verb} by WebSocket, and got ${request.headers.upgrade ?? 'no upgrade'}: use the default version of Kubernetes, since older ones speak SPDY to nodes, and a client that speaks WebSocket`,
      );
    const machine = this.#options.find(namespace, pod);
    if (machine === undefined) return refuse(socket, 404, `pod "${pod}" not found`);
    const accept = (then: (webSocket: WebSocket) => void): void =>
      this.#streams.handleUpgrade(request, socket, head, then);
    if (verb === 'portForward') {
      const port = Number(searchParams.get('port'));
      if (!machine.hasProcess) return refuse(socket, 501, pretends(pod));
      return accept((webSocket) => servePort(webSocket, machine.podIP, port));
    }
    // A path may have the UID of the Pod before the container.
    const container = rest.at(-1) ?? '';
    const run = machine.slot(container)?.run;
    if (run === undefined)
      return refuse(socket, 400, `container "${container}" in pod "${pod}" is not running`);
    if (run.exec === undefined) return refuse(socket, 501, pretends(pod));
    if (searchParams.get('tty') === '1' || searchParams.get('tty') === 'true')
      return refuse(socket, 501, 'nodes of a test control plane have no terminals: ask for none');
    const isAsked = (name: string): boolean => ['1', 'true'].includes(searchParams.get(name) ?? '');
    const start = (): Promise<ContainerCommand> =>
      run.exec?.(searchParams.getAll('command')) ?? Promise.reject(new Error(pretends(pod)));
    accept((webSocket) => void serveCommand(webSocket, start, isAsked('input')));
  }
}

/** Refuses to upgrade a connection. The API server passes the answer on to its client. */
function refuse(socket: Duplex, status: number, text: string): void {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  socket.end(
    `${head}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
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
  const slot = machine.slot(container);
  const log = isFormer ? slot?.formerLog : slot?.log;
  if (log === undefined) {
    const { name } = machine.pod.metadata;
    const reason = isFormer
      ? `previous terminated container "${container}" in pod "${name}" not found`
      : `container "${container}" in pod "${name}" is waiting to start: ${slot?.state.waiting?.reason ?? ''}`;
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
