import { channel } from 'node:diagnostics_channel';
import type { ResponseHead, TransportRequest } from '../transport/transport.ts';
import type { CallTarget } from './calls.ts';

/**
 * The message of the channel `opsdk:request`: a request is about to be sent to an API server. Each repetition of a request has a message of
 * its own.
 */
export interface RequestMessage {
  readonly target: CallTarget;
  /** URL of the API server. */
  readonly server: URL;
  readonly method: string;
  /** Path with the query, to be appended to the path of the server's URL. */
  readonly path: string;
  /** Number of the try of the request; the first try is 1. */
  readonly attempt: number;
  /** Headers to add to the request, which a subscriber may fill. */
  readonly headers: Record<string, string>;
  /**
   * Sends the request; resolves when the response, or the head of a streamed response, has arrived. A subscriber may replace it by a
   * function that calls it once and returns its result, for example in an async context of its own.
   */
  run: () => Promise<ResponseHead>;
}

const requests = channel('opsdk:request');

/** Sends a request by `send`. Publishes it on `opsdk:request` before, if the channel has subscribers. */
export function published<R extends ResponseHead>(
  send: (request: TransportRequest) => Promise<R>,
  request: TransportRequest,
  target: CallTarget,
  server: URL,
  attempt: number,
): Promise<R> {
  if (!requests.hasSubscribers) return send(request);
  const headers = {};
  const message = {
    ...{ target, server, method: request.method, path: request.path, attempt, headers },
    run: () => send({ ...request, headers: { ...request.headers, ...headers } }),
  };
  requests.publish(message);
  return message.run();
}
