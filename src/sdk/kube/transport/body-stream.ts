import type { Readable } from 'node:stream';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { onAbort, toError, giveUpOn, outsideWaits } from '../../net/index.ts';
import { nodeMessageOf, nodeErrorCode, TransportError, connectError } from './transport-error.ts';
import type { ResponseHead, TransportStream, TransportSettings } from './transport.ts';

interface Source {
  readonly head: ResponseHead;
  readonly readable: Readable;
  /** Called when the readable stream has closed. Returns true if the body was received completely. */
  isComplete(): boolean;
  /** Aborts the exchange, which closes the readable stream. */
  abort(): void;
  readonly signal: AbortSignal | undefined;
  readonly describe: string;
}

/** Wraps a response that Node provides as a readable stream in a {@link TransportStream}. Used for HTTP/1.1 and HTTP/2. */
export function bodyStream(source: Source): TransportStream {
  const { readable } = source;
  let onChunk: Parameters<TransportStream['read']>[0] | undefined;
  let unread = 0;
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  let outcome: { readonly error?: Error } | undefined;
  let streamError: unknown;

  const finish = (result: { readonly error?: Error }): void => {
    if (outcome !== undefined) return;
    outcome = result;
    onChunk = undefined;
    stopListening();
    if (result.error !== undefined) settle?.reject(result.error);
    else settle?.resolve();
  };
  const quit = (result: { readonly error?: Error }): void => {
    // Does nothing if the stream has finished, because its connection may already serve another request.
    if (outcome !== undefined) return;
    finish(result);
    source.abort();
  };

  const waitUntil = (ready: Promise<unknown>): void => {
    unread += 1;
    readable.pause();
    ready.then(
      () => {
        unread -= 1;
        if (unread === 0) readable.resume();
      },
      (error: unknown) => quit({ error: toError(error) }),
    );
  };

  // The listener is attached before anyone reads the stream, so that a stream that breaks early does not cause an uncaught error.
  readable.on('error', (error) => {
    streamError ??= error;
  });
  readable.on('close', () => {
    if (source.isComplete() && streamError === undefined) finish({});
    else finish({ error: lost(source.describe, streamError) });
  });
  let stopListening: () => void = () => undefined;
  stopListening = onAbort(source.signal, (reason) => quit({ error: reason }));

  return {
    ...source.head,
    read(callback) {
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        if (outcome !== undefined) {
          if (outcome.error !== undefined) reject(outcome.error);
          else resolve();
          return;
        }
        onChunk = callback;
        readable.on('data', (chunk: Buffer) => {
          try {
            const ready = onChunk?.(chunk);
            if (ready instanceof Promise) waitUntil(ready);
          } catch (error) {
            quit({ error: toError(error) });
          }
        });
        readable.resume();
      });
    },
    cancel: () => quit({}),
  };
}

function lost(describe: string, cause: unknown): TransportError {
  const detail = cause === undefined ? 'it ended early' : `${nodeMessageOf(cause)}${codeSuffix(cause)}`;
  return new TransportError('kube/connection-lost', `the connection broke during ${describe}: ${detail}`, {
    cause,
  });
}

function codeSuffix(cause: unknown): string {
  const code = nodeErrorCode(cause);
  return code === '' || nodeMessageOf(cause).includes(code) ? '' : ` (${code})`;
}

/**
 * Creates an HTTP/2 session on a connected socket. Resolves only after the server's SETTINGS have arrived, because the SETTINGS confirm
 * that the server supports HTTP/2 and accepts the client (with TLS 1.3, a server refuses a client certificate after the handshake). The
 * SETTINGS also contain the number of allowed streams.
 *
 * @param signal aborts the attempt
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
    // Listens to the socket, too, because a TLS alert destroys the session without an event on the session (seen in Node 20).
    for (const emitter of [session, socket]) emitter.once('error', failed).once('close', closed);
    session.once('remoteSettings', done);
  });
}
