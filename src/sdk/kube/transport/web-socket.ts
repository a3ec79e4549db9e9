import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { onAbort, toError, waitFor } from '../../net/index.ts';
import { dial } from './dial.ts';
import { nodeMessageOf, TransportError } from './transport-error.ts';
import {
  defaultTransportSettings,
  type ResponseHead,
  type TransportRequest,
  type TransportResponse,
  type TransportTarget,
  type UpgradedSocket,
} from './transport.ts';

interface UpgradeOptions {
  /** Description of the request for errors, which must not show its query. */
  readonly describe: string;
  /** Subprotocols that the client understands, the preferred one first. */
  readonly protocols: readonly string[];
  /** Signal that closes the WebSocket with its connection. */
  readonly closing: AbortSignal;
}

/** Body of a refusal, with status 403, by a server that knows none of the subprotocols. Source: apimachinery `wsstream`. */
const unknownProtocol = /^requested protocol\(s\) are not supported: /;

/** Maximum size of the body of a refusal in bytes. A Status is far smaller. */
const maxRefusal = 1024 * 1024;

/**
 * Opens a connection and upgrades it to a WebSocket. Loaded on demand, so that operators that never upgrade a connection do not load `ws`. Dials as
 * for any other request: with the same proxy and the same TLS material.
 *
 * @returns the WebSocket, or the response with which the server has refused the upgrade
 * @throws TransportError, the signal's reason
 */
export async function upgrade(
  target: TransportTarget,
  request: TransportRequest,
  { describe, protocols, closing }: UpgradeOptions,
): Promise<UpgradedSocket | TransportResponse> {
  const { server } = target;
  const { timeout = Infinity } = request;
  const signal = request.signal === undefined ? closing : AbortSignal.any([request.signal, closing]);
  signal.throwIfAborted();
  const limit = Math.min(timeout, defaultTransportSettings.connectTimeout);
  const { socket } = await dial(target, ['http/1.1'], limit, signal);
  try {
    request.beforeSend?.();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  const webSocket = new WebSocket(
    `ws://${server.host}${server.pathname.replace(/\/$/, '')}${request.path}`,
    [...protocols],
    {
      createConnection: () => socket,
      headers: request.headers as Record<string, string>,
      maxPayload: 16 * 1024 * 1024,
      perMessageDeflate: false,
    },
  );
  let failure: Error | undefined;
  webSocket.on('error', (error) => {
    failure ??= error;
  });
  const closed = new Promise<void>((resolve) => webSocket.once('close', () => resolve()));
  const lost = (): TransportError => {
    if (failure !== undefined && /^Server sent .*\bsubprotocol$/.test(failure.message))
      return unsupported(describe, protocols, failure);
    const detail = failure === undefined ? 'the server closed it' : nodeMessageOf(failure);
    return new TransportError('kube/connection-lost', `the connection broke during ${describe}: ${detail}`, {
      cause: failure,
    });
  };
  let head: ResponseHead = { status: 101, headers: {} };
  webSocket.once('upgrade', (response) => (head = headOf(response)));
  const opened = new Promise<TransportResponse | undefined>((resolve, reject) => {
    webSocket.once('open', () => {
      // Nothing is read before somebody listens.
      webSocket.pause();
      resolve(undefined);
    });
    webSocket.once('unexpected-response', (_, response) => resolve(refusalOf(response, lost)));
    void closed.then(() => reject(lost()));
  });
  try {
    const late = (): TransportError =>
      new TransportError(
        'kube/timeout',
        `no answer to ${describe} within ${(request.timeout ?? 0) / 1000} s`,
      );
    const refusal = await waitFor(opened, signal, request.timeout, late);
    if (refusal === undefined) return openSocket(webSocket, { head, closed, lost, signal });
    webSocket.terminate();
    if (unknownProtocol.test(refusal.body.toString('utf8'))) throw unsupported(describe, protocols);
    return refusal;
  } catch (error) {
    opened.catch(() => undefined);
    webSocket.terminate();
    socket.destroy();
    throw error;
  }
}

/** Returns the error of a server, or a proxy before it, that takes none of the subprotocols. */
function unsupported(describe: string, protocols: readonly string[], cause?: Error): TransportError {
  const message = `${describe}: expected a server that speaks ${protocols.join(' or ')}, got one that does not`;
  return new TransportError('kube/bad-response', message, {
    cause,
    fix: [
      'use a cluster of Kubernetes 1.30 or later, and no proxy that drops the header Sec-WebSocket-Protocol',
    ],
  });
}

interface OpenSocket {
  readonly head: ResponseHead;
  readonly closed: Promise<void>;
  readonly lost: () => TransportError;
  readonly signal: AbortSignal | undefined;
}

function openSocket(webSocket: WebSocket, { head, closed, lost, signal }: OpenSocket): UpgradedSocket {
  let settle: ((outcome: { readonly error?: Error }) => void) | undefined;
  let outcome: { readonly error?: Error } | undefined;
  let unread = 0;
  const finish = (result: { readonly error?: Error }): void => {
    if (outcome !== undefined) return;
    outcome = result;
    stopListening();
    webSocket.removeAllListeners('message');
    settle?.(result);
  };
  const quit = (result: { readonly error?: Error }): void => {
    finish(result);
    webSocket.terminate();
  };
  let stopListening: () => void = () => undefined;
  webSocket.once('close', (code) => finish(isRegular(code) ? {} : { error: lost() }));
  stopListening = onAbort(signal, (error) => quit({ error }));

  return {
    ...head,
    protocol: webSocket.protocol,
    closed,
    send: (message) =>
      new Promise((resolve, reject) => {
        webSocket.send(message, { binary: true }, (error) => {
          if (error == null) resolve();
          else reject(outcome?.error ?? lost());
        });
      }),
    read: (onMessage) =>
      new Promise((resolve, reject) => {
        settle = ({ error }) => (error === undefined ? resolve() : reject(error));
        if (outcome !== undefined) return settle(outcome);
        const deliver = (message: Buffer): void => {
          const ready = onMessage(message);
          if (!(ready instanceof Promise)) return;
          unread += 1;
          webSocket.pause();
          ready.then(
            () => {
              unread -= 1;
              if (unread === 0) webSocket.resume();
            },
            (error: unknown) => quit({ error: toError(error) }),
          );
        };
        webSocket.on('message', (message: Buffer) => {
          try {
            deliver(message);
          } catch (error) {
            quit({ error: toError(error) });
          }
        });
        webSocket.resume();
      }),
    cancel: () => quit({}),
  };
}

/** Returns true for the codes of a regular end: 1000 normal, 1001 going away, 1005 no code. Source: RFC 6455 section 7.4. */
function isRegular(code: number): boolean {
  return code === 1000 || code === 1001 || code === 1005;
}

function headOf({ statusCode = 0, headers }: IncomingMessage): ResponseHead {
  const joined = Object.entries(headers).map(([name, value = '']): [string, string] => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  return { status: statusCode, headers: Object.fromEntries(joined) };
}

async function refusalOf(response: IncomingMessage, lost: () => Error): Promise<TransportResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxRefusal) break;
    }
  } catch {
    throw lost();
  }
  return { ...headOf(response), body: Buffer.concat(chunks) };
}
