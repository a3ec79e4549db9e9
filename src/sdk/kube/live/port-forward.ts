import { Duplex } from 'node:stream';
import { toError } from '../../net/index.ts';
import { describeTarget, resourcePath } from '../client/calls.ts';
import { checkPlace } from '../client/check-request.ts';
import type { Connection } from '../client/connection.ts';
import { TransportError } from '../transport/transport-error.ts';
import type { UpgradedSocket } from '../transport/transport.ts';
import type { CallOptions, ObjectKey } from '../types.ts';
import { messageOn, portChannels as channels, portProtocol } from './channels.ts';
import { invalidRequest } from './invalid-request.ts';
import { podResource } from './pod-resource.ts';

/** Maximum size of one message, in bytes. */
const messageSize = 64 * 1024;

/**
 * Connects to a port of a Pod.
 * @throws ApiError, TransportError, OpSdkError `kube/invalid-request`, the signal's reason
 */
export async function portForward(
  connection: Connection,
  pod: ObjectKey,
  port: number,
  { signal }: CallOptions,
): Promise<Duplex> {
  checkPlace('forward a port of', podResource, pod);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw invalidRequest(
      podResource,
      pod,
      `expected a port of 1 to 65535, got ${port}`,
      'give the number of a port on which a container listens',
    );
  const { name, namespace } = pod;
  const subresource = 'portforward';
  const target = { verb: 'create', resource: podResource, subresource, namespace, name };
  const path = resourcePath(podResource, { namespace, name, subresource });
  const call = { target, method: 'GET', path, query: { ports: port }, signal };
  const socket = await connection.upgrade(call, [portProtocol]);
  return new ForwardedPort(socket, describeTarget(target));
}

/** The stream of one port. */
class ForwardedPort extends Duplex {
  readonly #socket: UpgradedSocket;
  /** Channels whose first message, which only repeats the port, has arrived. */
  readonly #begun = new Set<number>();
  /** Settles when the reader wants more; one promise for all messages that arrive until then. */
  #reader: { readonly isReady: Promise<void>; readonly resume: () => void } | undefined;

  constructor(socket: UpgradedSocket, describe: string) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    socket
      .read((message) => this.#take(message, describe))
      .then(
        () => this.push(null),
        (error: unknown) => this.destroy(toError(error)),
      );
  }

  override _read(): void {
    this.#reader?.resume();
    this.#reader = undefined;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#send(chunk).then(() => done(), done);
  }

  override _final(done: () => void): void {
    // The protocol cannot end one direction alone.
    this.#socket.cancel();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.cancel();
    this.#reader?.resume();
    done(error);
  }

  async #send(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length; start += messageSize)
      await this.#socket.send(messageOn(channels.data, chunk.subarray(start, start + messageSize)));
  }

  #take(message: Buffer, describe: string): Promise<void> | undefined {
    const channel = message[0] ?? -1;
    const data = message.subarray(1);
    if (!this.#begun.has(channel)) {
      this.#begun.add(channel);
      return undefined;
    }
    if (channel === channels.error) {
      const text = data.toString('utf8').trim();
      this.destroy(new TransportError('kube/connection-lost', `${describe}: ${text}`));
      return undefined;
    }
    if (channel !== channels.data || data.length === 0 || this.push(data)) return undefined;
    this.#reader ??= waitingReader();
    return this.#reader.isReady;
  }
}

function waitingReader(): { readonly isReady: Promise<void>; readonly resume: () => void } {
  let resume = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (resume = resolve));
  return { isReady, resume };
}
