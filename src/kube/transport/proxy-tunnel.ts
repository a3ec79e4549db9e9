import { request } from 'node:http';
import type { Socket } from 'node:net';
import { TransportError } from './transport-error.ts';

/**
 * Asks an HTTP proxy to connect through to `authority` (`host:port`).
 *
 * @throws TransportError, always `neverSent`
 */
export async function openTunnel(proxy: URL, authority: string, timeout: number): Promise<Socket> {
  const name = `proxy ${proxy.protocol}//${proxy.host}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization =
    proxy.username === ''
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  return new Promise((resolve, reject) => {
    const fail = (message: string, cause?: unknown): void =>
      reject(
        new TransportError('kube/unreachable', `cannot reach ${authority} through ${name}: ${message}`, {
          cause,
          neverSent: true,
        }),
      );
    const asking = request({
      host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port === '' ? 80 : Number(proxy.port),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization },
      agent: false,
      timeout,
    });
    asking.once('timeout', () => asking.destroy(new Error('no answer in time')));
    asking.once('error', (error) => fail(error.message, error));
    asking.once('response', (response) => {
      response.resume();
      fail(`it answered ${response.statusCode} to CONNECT`);
    });
    asking.once('connect', (response, socket: Socket) => {
      if (response.statusCode === 200) {
        socket.setTimeout(0);
        resolve(socket);
        return;
      }
      socket.destroy();
      fail(`it answered ${response.statusCode} to CONNECT`);
    });
    asking.end();
  });
}
