import { connect, type ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { giveUpOn, outsideWaits } from '../../net/index.ts';
import { connectError } from './transport-error.ts';
import type { TransportSettings } from './transport.ts';

/**
 * An HTTP/2 session on a connected socket, once the server's SETTINGS are there: only then is it certain that it speaks
 * HTTP/2 and accepts the client (TLS 1.3 refuses a client certificate after the handshake), and how many streams it allows.
 *
 * @param signal ends the attempt
 * @throws TransportError, always `neverSent`; the signal's reason
 */
export function handshake(
  socket: Socket,
  server: URL,
  settings: TransportSettings,
  timeout: number,
  signal: AbortSignal,
): Promise<ClientHttp2Session> {
  const session = connect(server.origin, {
    createConnection: () => socket,
    settings: { initialWindowSize: settings.streamWindow, enablePush: false },
    maxSessionMemory: settings.maxSessionMemory,
  });
  const wait = outsideWaits.begin(`HTTP/2 settings of ${server.host}`);
  return new Promise((resolve, reject) => {
    let stopWaiting = (): void => undefined;
    const settle = (): void => {
      stopWaiting();
      for (const emitter of [session, socket]) emitter.off('error', failed).off('close', closed);
      session.off('remoteSettings', done);
    };
    const fail = (error: Error): void => {
      settle();
      wait.end(false);
      for (const emitter of [session, socket]) emitter.on('error', () => undefined);
      session.destroy();
      socket.destroy();
      reject(error);
    };
    const failed = (error: Error): void => fail(connectError(server.origin, error));
    const closed = (): void => failed(new Error('the connection was closed before the HTTP/2 handshake'));
    const done = (): void => {
      settle();
      wait.end(true);
      session.setLocalWindowSize(settings.sessionWindow);
      resolve(session);
    };
    stopWaiting = giveUpOn(signal, timeout, fail, () => failed(new Error('no HTTP/2 handshake in time')));
    // The socket too: a TLS alert destroys the session without any event of its own (seen in Node 20).
    for (const emitter of [session, socket]) emitter.once('error', failed).once('close', closed);
    session.once('remoteSettings', done);
  });
}
