import { request } from 'node:http';
import type { Socket } from 'node:net';
import { onAbort } from './on-abort.ts';
import { TransportError } from './transport-error.ts';

/**
 * Asks an HTTP proxy to connect through to `authority` (`host:port`).
 *
 * @throws TransportError, always `neverSent`; the signal's reason
 */
export async function openTunnel(
  proxy: URL,
  authority: string,
  timeout: number,
  signal: AbortSignal,
): Promise<Socket> {
  const name = `proxy ${proxy.protocol}//${proxy.host}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization =
    proxy.username === ''
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  return new Promise((resolve, reject) => {
    const fail = (message: string, cause?: unknown): void => {
      stopListening();
      reject(
        new TransportError('kube/unreachable', `cannot reach ${authority} through ${name}: ${message}`, {
          cause,
          neverSent: true,
        }),
      );
    };
    const asking = request({
      host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port === '' ? 80 : Number(proxy.port),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization },
      agent: false,
      timeout,
    });
    const stopListening = onAbort(signal, (reason) => {
      reject(reason);
      asking.destroy();
    });
    asking.once('timeout', () => asking.destroy(new Error('no answer in time')));
    asking.on('error', (error) => fail(error.message, error));
    asking.once('response', (response) => {
      response.resume();
      fail(`it answered ${response.statusCode} to CONNECT`);
    });
    asking.once('connect', (response, socket: Socket, head: Buffer) => {
      if (response.statusCode === 200) {
        stopListening();
        socket.setTimeout(0);
        // What the server said first came in one piece with the proxy's answer.
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      fail(`it answered ${response.statusCode} to CONNECT`);
    });
    asking.end();
  });
}
