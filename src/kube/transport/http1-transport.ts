import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { bodyStream } from './body-stream.ts';
import { collectResponse, describeRequest, timeoutError } from './collect.ts';
import { dial } from './dial.ts';
import { giveUpOn } from '../../net/index.ts';
import { closedError, nodeMessageOf, TransportError } from './transport-error.ts';
import {
  defaultTransportSettings,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportSettings,
  type TransportStream,
  type TransportTarget,
} from './transport.ts';

/** Keep-alive connections, one request at a time on each. For proxies and servers without HTTP/2. */
export class Http1Transport implements Transport {
  readonly #target: TransportTarget;
  readonly #agent: DiallingAgent;
  readonly #basePath: string;
  constructor(target: TransportTarget, settings: TransportSettings = defaultTransportSettings) {
    this.#target = target;
    this.#agent = new DiallingAgent(target, settings);
    this.#basePath = target.server.pathname.replace(/\/$/, '');
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return collectResponse((each) => this.stream(each), request);
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    if (this.#agent.isDestroyed) throw closedError();
    request.signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const sending = this.#send(request);
      const fail = (error: Error): void => {
        stopWaiting();
        reject(error);
        sending.destroy();
      };
      const stopWaiting = giveUpOn(request.signal, request.timeout, fail, () => fail(timeoutError(request)));
      sending.on('error', (error) => fail(this.#sendError(request, error)));
      sending.once('response', (message) => {
        stopWaiting();
        resolve(toStream(request, sending, message));
      });
    });
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }

  #send(request: TransportRequest): ClientRequest {
    const { server } = this.#target;
    const sending = httpRequest({
      agent: this.#agent,
      host: server.hostname,
      port: server.port,
      method: request.method,
      path: this.#basePath + request.path,
      headers: {
        host: server.host,
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
      },
    });
    sending.end(request.body);
    return sending;
  }

  #sendError(request: TransportRequest, error: Error): TransportError {
    if (error instanceof TransportError) return error;
    if (this.#agent.isDestroyed)
      return new TransportError('kube/connection-closed', 'the client has been closed', { cause: error });
    return new TransportError(
      'kube/connection-lost',
      `the connection broke during ${describeRequest(request)}: ${nodeMessageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

function toStream(
  request: TransportRequest,
  sending: ClientRequest,
  message: IncomingMessage,
): TransportStream {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return bodyStream({
    head: { status: message.statusCode ?? 0, headers },
    readable: message,
    isComplete: () => message.complete,
    abort: () => sending.destroy(),
    signal: request.signal,
    describe: describeRequest(request),
  });
}

/** Opens its connections with `dial`: certificates are read for each new connection, proxies are tunnelled through. */
class DiallingAgent extends Agent {
  readonly #target: TransportTarget;
  readonly #connectTimeout: number;
  readonly #open = new Set<Duplex>();
  readonly #destroying = new AbortController();

  constructor(target: TransportTarget, settings: TransportSettings) {
    super({ keepAlive: true, timeout: settings.keepIdleSocket });
    this.#target = target;
    this.#connectTimeout = settings.connectTimeout;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    dial(this.#target, ['http/1.1'], this.#connectTimeout, this.#destroying.signal).then(
      ({ socket }) => {
        if (this.isDestroyed) {
          socket.destroy();
          callback?.(closedError(), socket);
          return;
        }
        this.#open.add(socket);
        socket.once('close', () => this.#open.delete(socket));
        callback?.(null, socket);
      },
      (error: unknown) => callback?.(error as Error, undefined as unknown as Duplex),
    );
  }

  get isDestroyed(): boolean {
    return this.#destroying.signal.aborted;
  }

  override destroy(): void {
    this.#destroying.abort(closedError());
    super.destroy();
    for (const socket of this.#open) socket.destroy();
  }
}
