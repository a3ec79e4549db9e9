import { X509Certificate } from 'node:crypto';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { KeyPair } from '../../x509/certificate-authority.ts';
import type { ListenAddress } from '../../net/index.ts';
import { certificateExpiration } from '../metrics/common-metrics.ts';
import {
  handlerOf,
  listen,
  type Answerer,
  type RequestHandler,
  type RunningServer,
  type ServerPurpose,
} from './serve.ts';

/**
 * Milliseconds for which an idle connection is kept, which is longer than the usual interval of metrics scrapes. Source: controller-runtime
 * `httpserver`.
 */
const IDLE_MS = 90_000;
/** Maximum time for receiving the headers of a request, in milliseconds. Source: controller-runtime `httpserver`. */
const HEADERS_MS = 32_000;

interface SecureListenerOptions {
  readonly purpose: ServerPurpose;
  readonly address: ListenAddress;
  readonly handler: RequestHandler;
  readonly report: (error: Error) => void;
  readonly certificate: KeyPair;
  /** Offer HTTP/2 in addition to HTTP/1.1. */
  readonly http2: boolean;
  /** Milliseconds for which an idle connection is kept. Default: 90,000. */
  readonly idle?: number;
}

interface SecureServerOptions extends Omit<SecureListenerOptions, 'handler'> {
  readonly answer: Answerer;
}

/** A server whose certificate can be renewed at run time. */
export interface SecureServer extends RunningServer {
  /** Sets the certificate for new connections. */
  readonly renew: (certificate: KeyPair) => void;
}

/** Serves small GET requests over HTTPS, TLS 1.2 and newer. @throws OpSdkError `runtime/cannot-listen` */
export async function serveSecure({ answer, ...options }: SecureServerOptions): Promise<SecureServer> {
  return listenSecurely({ ...options, handler: handlerOf(answer) });
}

/**
 * Serves requests of any kind over HTTPS, TLS 1.2 and newer. A metric has the time at which the certificate expires.
 *
 * @throws OpSdkError `runtime/cannot-listen`
 */
export async function listenSecurely(options: SecureListenerOptions): Promise<SecureServer> {
  const { purpose, address, handler, report, http2, idle = IDLE_MS } = options;
  const tls = { ...tlsOf(options.certificate), handshakeTimeout: HEADERS_MS };
  const server = http2
    ? createSecureServer({ ...tls, allowHTTP1: true }, handler)
    : createServer({ ...tls, keepAliveTimeout: idle, headersTimeout: HEADERS_MS }, handler);
  if (http2) server.setTimeout(idle);
  const running = await listen(server, purpose, address, report);
  const labels = { server: purpose.name === 'webhooks' ? 'webhook' : purpose.name };
  const observe = ({ certificate }: KeyPair): void =>
    certificateExpiration.set(labels, Date.parse(new X509Certificate(certificate).validTo) / 1000);
  observe(options.certificate);
  return {
    port: running.port,
    renew: (pair) => {
      server.setSecureContext(tlsOf(pair));
      observe(pair);
    },
    close: (until) => {
      certificateExpiration.remove(labels);
      return running.close(until);
    },
  };
}

function tlsOf({ certificate, key }: KeyPair) {
  return { cert: certificate, key, minVersion: 'TLSv1.2' } as const;
}
