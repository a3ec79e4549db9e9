import { Http1Transport } from './http1-transport.ts';
import { NoHttp2Error } from './http2-session.ts';
import { Http2Transport } from './http2-transport.ts';
import { TlsSource } from './tls-source.ts';
import { nodeErrorCode, TransportError } from './transport-error.ts';
import {
  defaultTransportSettings,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportSettings,
  type TransportStream,
  type TransportTarget,
} from './transport.ts';

/**
 * `auto`: over TLS single requests go over HTTP/1.1, and streams over HTTP/2 if the server offers it by ALPN; everything over
 * HTTP/1.1 on an `http:` server. `http2` on an `http:` server means prior knowledge.
 */
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

/** Each kind of request over the protocol that suits it, until the server turns out not to speak it. */
class NegotiatedTransport implements Transport {
  readonly #tls: TlsSource;
  readonly #http1: Http1Transport;
  readonly #http2: Http2Transport;
  /** The protocol that the server was found not to speak. */
  #missing: 'http1' | 'http2' | undefined;

  constructor(target: TransportTarget, settings: TransportSettings) {
    this.#tls = new TlsSource(target, settings);
    this.#http1 = new Http1Transport(target, settings, this.#tls);
    this.#http2 = new Http2Transport(target, settings, this.#tls);
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return this.#missing === 'http1'
      ? this.#http2.request(request)
      : this.#http1.request(request).catch((error: unknown) => {
          if (!isProtocolRefused(error)) throw error;
          this.#missing = 'http1';
          return this.#http2.request(request);
        });
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#missing === 'http2'
      ? this.#http1.stream(request)
      : this.#http2.stream(request).catch((error: unknown) => {
          if (!(error instanceof NoHttp2Error)) throw error;
          this.#missing = 'http2';
          return this.#http1.stream(request);
        });
  }

  renew(): Promise<boolean> {
    return this.#tls.look();
  }

  async close(): Promise<void> {
    await Promise.all([this.#http1.close(), this.#http2.close()]);
  }
}

/** The server knows ALPN, and HTTP/1.1 is not among what it offers. */
function isProtocolRefused(error: unknown): boolean {
  return error instanceof TransportError && nodeErrorCode(error.cause).endsWith('NO_APPLICATION_PROTOCOL');
}
