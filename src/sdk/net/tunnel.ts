import { request } from 'node:http';
import type { Socket } from 'node:net';
import { onAbort } from './abort.ts';
import { unbracketed } from './address.ts';
import { portOf, proxyAuthorization } from './proxy.ts';

/** Why a proxy did not connect through: the end of a sentence, without secrets. */
export class TunnelError extends Error {}

/**
 * Asks an HTTP proxy to connect through to `authority` (`host:port`).
 *
 * @param timeout milliseconds without an answer
 * @param signal ends the wait for its answer
 * @throws TunnelError; the signal's reason
 */
export function openTunnel(
  proxy: URL,
  authority: string,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asking = request({
      host: unbracketed(proxy.hostname),
      port: portOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      timeout,
    });
    const stopListening = onAbort(signal, (reason) => {
      reject(reason);
      asking.destroy();
    });
    const fail = (message: string, cause?: unknown): void => {
      stopListening();
      reject(new TunnelError(message, { cause }));
    };
    asking.once('timeout', () => asking.destroy(new Error('no answer in time')));
    asking.on('error', (error) => fail(error.message, error));
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
      stopListening();
      socket.setTimeout(0);
      // What the server said first came in one piece with the proxy's answer.
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.end();
  });
}
