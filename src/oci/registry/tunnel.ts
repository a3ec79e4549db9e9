import { request } from 'node:http';
import type { Socket } from 'node:net';
import { unbracketed } from './address.ts';
import { portOf } from './proxy-for.ts';
import { WireError } from './wire-error.ts';

/** The header that a proxy wants if its URL has a user name. */
export function proxyAuthorization(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/**
 * Asks an HTTP proxy to connect through to `authority` (`host:port`).
 * @param signal ends the wait for its answer
 * @throws WireError `proxy`, also when the signal aborts
 */
export function openTunnel(
  proxy: URL,
  authority: string,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (message: string, cause?: unknown): void =>
      reject(new WireError('proxy', `no way through the proxy ${proxy.host}: ${message}`, { cause }));
    const asking = request({
      host: unbracketed(proxy.hostname),
      port: portOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      timeout,
      ...(signal === undefined ? {} : { signal }),
    });
    asking.once('timeout', () => asking.destroy(new Error('no answer in time')));
    asking.once('error', (error) => fail(error.message, error));
    asking.once('response', (response) => {
      response.resume();
      asking.destroy();
      fail(`it answered ${response.statusCode ?? 0} to CONNECT`);
    });
    asking.once('connect', (response, socket: Socket, head: Buffer) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        fail(`it answered ${response.statusCode ?? 0} to CONNECT`);
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.end();
  });
}
