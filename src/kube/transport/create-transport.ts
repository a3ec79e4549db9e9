import { Http1Transport } from './http1-transport.ts';
import { NoHttp2Error } from './http2-session.ts';
import { Http2Transport } from './http2-transport.ts';
import { closedError } from './transport-error.ts';
import {
  defaultTransportSettings,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportSettings,
  type TransportStream,
  type TransportTarget,
} from './transport.ts';

/** `auto`: HTTP/2 over TLS if the server offers it by ALPN, else HTTP/1.1. `http2` on an `http:` server means prior knowledge. */
export type Protocol = 'auto' | 'http1' | 'http2';

/** A transport for one server; connects when it is first used. */
export function createTransport(
  target: TransportTarget,
  protocol: Protocol = 'auto',
  settings: Partial<TransportSettings> = {},
): Transport {
  const complete = { ...defaultTransportSettings, ...settings };
  switch (protocol) {
    case 'http1':
      return new Http1Transport(target, complete);
    case 'http2':
      return new Http2Transport(target, complete);
    case 'auto':
      return target.server.protocol === 'https:'
        ? new NegotiatedTransport(target, complete)
        : new Http1Transport(target, complete);
  }
}

/** HTTP/2 until the server turns out not to speak it. */
class NegotiatedTransport implements Transport {
  readonly #target: TransportTarget;
  readonly #settings: TransportSettings;
  #current: Transport;
  #closed = false;

  constructor(target: TransportTarget, settings: TransportSettings) {
    this.#target = target;
    this.#settings = settings;
    this.#current = new Http2Transport(target, settings);
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return this.#orHttp1((transport) => transport.request(request));
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#orHttp1((transport) => transport.stream(request));
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#current.close();
  }

  async #orHttp1<T>(send: (transport: Transport) => Promise<T>): Promise<T> {
    const transport = this.#current;
    try {
      return await send(transport);
    } catch (error) {
      if (!(error instanceof NoHttp2Error)) throw error;
      if (this.#closed) throw closedError();
      if (this.#current === transport) {
        this.#current = new Http1Transport(this.#target, this.#settings);
        await transport.close();
      }
      return send(this.#current);
    }
  }
}
