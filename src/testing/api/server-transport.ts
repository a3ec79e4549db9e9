import { toError } from '../../sdk/net/index.ts';
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
  TransportTarget,
} from '../../sdk/kube/index.ts';
import type { Json, JsonObject } from '../../kubernetes/objects/index.ts';
import { PageNotFound, route, type RawCall, type ApiRequest } from './requests/route.ts';
import type { Answer } from './requests/writer.ts';
import type { Server } from './server.ts';
import { badRequest, StatusError } from './status-error.ts';

interface ServerTransportOptions {
  /**
   * Called with each request before the server answers it. If the function returns an answer, that answer is sent instead of the server's.
   */
  readonly onRequest?: (request: ApiRequest) => Promise<Answer | undefined>;
  /** Called with each error for an unsupported request, because the caller may catch the error and ignore it. */
  readonly onDefect?: (error: unknown) => void;
}

/** Transport that sends requests to the in-memory server. Responses have the same bytes as those of a real API server. */
export class ServerTransport implements Transport {
  readonly #server: Server;
  readonly #options: ServerTransportOptions;
  readonly #streams = new Set<{ cancel(): void }>();
  /** Number of requests and watch deliveries in progress. */
  #busy = 0;

  constructor(server: Server, options: ServerTransportOptions = {}) {
    this.#server = server;
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    return this.#during(async () => {
      request.signal?.throwIfAborted();
      await turn();
      request.signal?.throwIfAborted();
      return this.#answer(request);
    });
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    return this.#during(async () => {
      request.signal?.throwIfAborted();
      await turn();
      return this.#open(request);
    });
  }

  get target(): TransportTarget {
    const error = badRequest('the in-memory API has no nodes: exec and port forwarding need a control plane');
    this.#options.onDefect?.(error);
    throw error;
  }

  renew(): Promise<boolean> {
    return Promise.resolve(false);
  }

  close(): Promise<void> {
    for (const stream of this.#streams) stream.cancel();
    return Promise.resolve();
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
    }
  }

  async #answer(request: TransportRequest): Promise<TransportResponse> {
    return this.#guarded(async () => {
      const routed = route(this.#server.kinds, rawCall(request));
      const answer = (await this.#options.onRequest?.(routed)) ?? this.#server.answer(routed);
      return response(answer);
    });
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T | TransportResponse> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StatusError) return refusal(error);
      this.#options.onDefect?.(error);
      throw error;
    }
  }

  async #open(request: TransportRequest): Promise<TransportStream> {
    const opened = await this.#guarded(async () => {
      const routed = route(this.#server.kinds, rawCall(request));
      const answer = await this.#options.onRequest?.(routed);
      if (answer !== undefined || routed.verb !== 'watch')
        return response(answer ?? this.#server.answer(routed));
      return this.#watch(routed, request.signal);
    });
    return 'read' in opened ? opened : finished(opened);
  }

  #watch(routed: ApiRequest, signal: AbortSignal | undefined): TransportStream {
    let onChunk: ((chunk: Buffer) => void) | undefined;
    let settle: ((error?: unknown) => void) | undefined;
    let isEnded = false;
    const waiting: Buffer[] = [];
    // Deliver the event after the response to the write that caused the event, as over a network.
    const flush = (): void => {
      if (onChunk === undefined || waiting.length === 0) return;
      try {
        onChunk(Buffer.concat(waiting.splice(0)));
      } catch (error) {
        end(error);
      }
    };
    const send = (type: string, object: JsonObject): void => {
      waiting.push(Buffer.from(`${JSON.stringify({ type, object })}\n`));
      this.#busy += 1;
      setImmediate(() => {
        this.#busy -= 1;
        flush();
      });
    };
    const watch = this.#server.watch(routed, send, () => end());
    const end = (error?: unknown): void => {
      if (isEnded) return;
      isEnded = true;
      watch.stop();
      this.#streams.delete(stream);
      signal?.removeEventListener('abort', abort);
      settle?.(error);
    };
    const abort = (): void => end(signal?.reason);
    const stream: TransportStream = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      read: (take) =>
        new Promise<void>((resolve, reject) => {
          settle = (error) => (error === undefined ? resolve() : reject(toError(error)));
          onChunk = take;
          if (signal?.aborted === true) abort();
          else flush();
          if (isEnded) resolve();
        }),
      cancel: () => end(),
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#streams.add(stream);
    return stream;
  }
}

/** Waits for the next turn of the event loop, because over a network no response arrives in the turn of its request. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function rawCall({ method, path, headers = {}, body }: TransportRequest): RawCall {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    texts[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  return { method, path, headers: texts, body: parse(body) };
}

function parse(body: string | Uint8Array | undefined): Json | undefined {
  if (body === undefined || body.length === 0) return undefined;
  try {
    return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')) as Json;
  } catch (error) {
    throw badRequest(`json parse error: ${(error as Error).message}`);
  }
}

function response({ status, body, warnings = [] }: Answer): TransportResponse {
  return { status, headers: jsonHeaders(warnings), body: Buffer.from(JSON.stringify(body)) };
}

function jsonHeaders(warnings: readonly string[]): Readonly<Record<string, string>> {
  const warning = [...new Set(warnings)].map((text) => `299 - ${JSON.stringify(text)}`).join(', ');
  return { 'content-type': 'application/json', ...(warning === '' ? {} : { warning }) };
}

function refusal(error: StatusError): TransportResponse {
  if (error instanceof PageNotFound)
    return {
      status: 404,
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('404 page not found\n'),
    };
  return {
    status: error.code,
    headers: jsonHeaders(error.warnings),
    body: Buffer.from(JSON.stringify(error.toBody())),
  };
}

function finished({ status, headers, body }: TransportResponse): TransportStream {
  return {
    status,
    headers,
    read: (onChunk) => {
      onChunk(body);
      return Promise.resolve();
    },
    cancel: () => undefined,
  };
}
