import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import {
  giveUpOn,
  openTunnel,
  outsideWaits,
  TunnelError,
  unbracketed,
  waitFor,
  type OutsideWait,
} from '../../net/index.ts';
import { connectError, TransportError } from './transport-error.ts';
import type { TlsMaterial, TransportTarget } from './transport.ts';

/** Connection on which the first byte can be sent, and the protocol that was chosen by ALPN. */
export interface Dialled {
  readonly socket: Socket;
  /** Protocol chosen by ALPN. Undefined without TLS, or if the server does not support ALPN. */
  readonly alpn: string | undefined;
  /** TLS material of the connection; undefined without TLS. */
  readonly material: TlsMaterial | undefined;
}

const tcpKeepAlive = 30_000;

/**
 * Connects to the server (through the proxy if one is configured), with TLS for `https:`.
 *
 * @param protocols protocols to offer by ALPN, in order of preference
 * @param signal aborts the attempt and closes its sockets
 * @throws TransportError, always `neverSent`; the signal's reason
 */
export async function dial(
  target: TransportTarget,
  protocols: readonly string[],
  timeout: number,
  signal: AbortSignal,
): Promise<Dialled> {
  const { server, proxy } = target;
  const port = Number(server.port === '' ? (server.protocol === 'https:' ? 443 : 80) : server.port);
  const host = unbracketed(server.hostname);
  // The TLS material is read before the socket is created, because errors of the socket would have no listener while a file is read.
  const material = server.protocol === 'https:' ? await waitFor(target.tls(signal), signal) : undefined;
  signal.throwIfAborted();
  const deadline = performance.now() + timeout;
  const remaining = (): number => Math.max(1, deadline - performance.now());
  const wait = outsideWaits.begin(`connection to ${server.host}`);
  let isDone = false;
  try {
    const tcp =
      proxy === undefined
        ? await connected(server.origin, directly(host, port, wait), 'connect', remaining(), signal)
        : await tunnelled(proxy, `${server.hostname}:${port}`, remaining(), signal, wait);
    tcp.setNoDelay(true);
    tcp.setKeepAlive(true, tcpKeepAlive);
    if (material === undefined) {
      isDone = true;
      return { socket: tcp, alpn: undefined, material };
    }
    wait.rename(`TLS handshake with ${server.host}`);
    const secure = await secured(
      tcp,
      tlsOptions(material, host, tcp, protocols),
      server,
      remaining(),
      signal,
    );
    isDone = true;
    const { alpnProtocol } = secure;
    return {
      socket: secure,
      alpn: alpnProtocol === false || alpnProtocol === null ? undefined : alpnProtocol,
      material,
    };
  } finally {
    wait.end(isDone);
  }
}

function directly(host: string, port: number, wait: OutsideWait): Socket {
  const socket = connectTcp({ host, port });
  if (isIP(host) === 0) {
    const connection = `connection to ${host}:${port}`;
    wait.rename(`DNS lookup of ${host}`);
    socket.once('lookup', () => wait.rename(connection));
  }
  return socket;
}

/** Starts TLS on a TCP connection. @throws TransportError, always `neverSent`; the signal's reason */
async function secured(
  tcp: Socket,
  options: ConnectionOptions,
  server: URL,
  timeout: number,
  signal: AbortSignal,
): Promise<TLSSocket> {
  let secure: TLSSocket;
  try {
    secure = connectTls(options);
  } catch (error) {
    tcp.destroy();
    throw error instanceof Error && 'findings' in error ? error : connectError(server.origin, error);
  }
  return connected(server.origin, secure, 'secureConnect', timeout, signal);
}

/** Opens a tunnel through the proxy with CONNECT. @throws TransportError, always `neverSent`; the signal's reason */
async function tunnelled(
  proxy: URL,
  authority: string,
  timeout: number,
  signal: AbortSignal,
  wait: OutsideWait,
): Promise<Socket> {
  wait.rename(`proxy ${proxy.host}`);
  try {
    return await openTunnel(proxy, authority, timeout, signal);
  } catch (error) {
    if (!(error instanceof TunnelError)) throw error;
    const message = `cannot reach ${authority} through proxy ${proxy.protocol}//${proxy.host}: ${error.message}`;
    throw new TransportError('kube/unreachable', message, { cause: error, neverSent: true });
  }
}

function tlsOptions(
  material: TlsMaterial,
  host: string,
  socket: Socket,
  protocols: readonly string[],
): ConnectionOptions {
  // For an IP address, no server name is set, because SNI must not contain an IP address. The certificate is still checked against the
  // host.
  const serverName = material.serverName ?? (isIP(host) === 0 ? host : undefined);
  return {
    socket,
    host,
    ALPNProtocols: [...protocols],
    rejectUnauthorized: material.insecureSkipVerify !== true,
    minVersion: 'TLSv1.2',
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(material.ca === undefined ? {} : { ca: material.ca }),
    ...(material.cert === undefined ? {} : { cert: material.cert }),
    ...(material.key === undefined ? {} : { key: material.key }),
  };
}

/** Waits for an event of the socket. Destroys the socket if the connection fails or the signal is aborted. */
async function connected<S extends Socket>(
  server: string,
  socket: S,
  event: 'connect' | 'secureConnect',
  timeout: number,
  signal: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    let stopWaiting = (): void => undefined;
    const settle = (): void => {
      stopWaiting();
      socket.off('error', failed);
      socket.off('close', closed);
      socket.off(event, done);
    };
    const fail = (error: Error): void => {
      settle();
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const failed = (error: Error): void => fail(connectError(server, error));
    const closed = (): void =>
      fail(connectError(server, new Error('the connection was closed while it was being set up')));
    const done = (): void => {
      settle();
      resolve(socket);
    };
    stopWaiting = giveUpOn(signal, timeout, fail, () => {
      const seconds = Math.round(timeout / 100) / 10;
      fail(
        new TransportError('kube/unreachable', `cannot reach ${server}: no connection within ${seconds} s`, {
          neverSent: true,
        }),
      );
    });
    socket.once('error', failed);
    socket.once('close', closed);
    socket.once(event, done);
  });
}
