import { toError } from '../../net/index.ts';
import { maxBody, describeRequest } from './collect.ts';
import type { Exchange, Http1Connection } from './http1-connection.ts';
import { TransportError } from './transport-error.ts';
import type { ResponseHead, TransportRequest, TransportResponse, TransportStream } from './transport.ts';

/** An answer that is read as a whole. */
export class WholeExchange implements Exchange {
  static readonly lasts = false;
  readonly request: TransportRequest;
  readonly #connection: Http1Connection;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head: ResponseHead | undefined;

  constructor(
    request: TransportRequest,
    connection: Http1Connection,
    resolve: (response: TransportResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.request = request;
    this.#connection = connection;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  head(head: ResponseHead): void {
    this.#head = head;
    const announced = Number(head.headers['content-length'] ?? 0);
    if (announced > maxBody) this.#refuse(announced);
  }

  data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > maxBody) this.#refuse(this.#size);
  }

  end(): void {
    const { status, headers } = this.#head ?? { status: 0, headers: {} };
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status, headers, body });
  }

  fail(error: Error): void {
    this.#reject(error);
  }

  #refuse(size: number): void {
    const message = `the answer to ${describeRequest(this.request)} is too large: expected at most ${maxBody} bytes, got ${size}`;
    this.#connection.fail(new TransportError('kube/bad-response', message));
  }
}

/** An answer that is given on as it comes. Until its reader is there, no more than one piece is taken from the socket. */
export class StreamExchange implements Exchange {
  static readonly lasts = true;
  readonly request: TransportRequest;
  readonly #connection: Http1Connection;
  readonly #opened: (stream: TransportStream) => void;
  readonly #reject: (error: Error) => void;
  #head: ResponseHead | undefined;
  #pending: Buffer[] = [];
  #onChunk: ((chunk: Buffer) => void) | undefined;
  #settle: { resolve(): void; reject(error: Error): void } | undefined;
  #outcome: { readonly error?: Error } | undefined;
  #isCancelled = false;

  constructor(
    request: TransportRequest,
    connection: Http1Connection,
    opened: (stream: TransportStream) => void,
    reject: (error: Error) => void,
  ) {
    this.request = request;
    this.#connection = connection;
    this.#opened = opened;
    this.#reject = reject;
  }

  head(head: ResponseHead): void {
    this.#head = head;
    // The timeout of a stream is about its beginning.
    this.#connection.dueAt = Infinity;
    this.#connection.pause();
    this.#opened({
      ...head,
      read: (onChunk) => this.#read(onChunk),
      cancel: () => this.#quit({}),
    });
  }

  data(chunk: Buffer): void {
    if (this.#outcome !== undefined) return;
    if (this.#onChunk === undefined) this.#pending.push(chunk);
    else this.#deliver(this.#onChunk, chunk);
  }

  end(): void {
    this.#finish({});
  }

  fail(error: Error): void {
    if (this.#head === undefined) this.#reject(error);
    this.#pending = [];
    this.#finish({ error });
  }

  #read(onChunk: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      for (const chunk of this.#pending.splice(0)) this.#deliver(onChunk, chunk);
      if (this.#outcome !== undefined) {
        if (this.#outcome.error === undefined) resolve();
        else reject(this.#outcome.error);
        return;
      }
      this.#settle = { resolve, reject };
      this.#onChunk = onChunk;
      this.#connection.resume();
    });
  }

  #deliver(onChunk: (chunk: Buffer) => void, chunk: Buffer): void {
    if (this.#isCancelled) return;
    try {
      onChunk(chunk);
    } catch (error) {
      this.#quit({ error: toError(error) });
    }
  }

  /** Ends the exchange. One that has ended must not touch its connection, which another request may use by now. */
  #quit(outcome: { readonly error?: Error }): void {
    this.#isCancelled = true;
    this.#pending = [];
    if (this.#outcome === undefined) {
      this.#finish(outcome);
      this.#connection.destroy();
    } else if (outcome.error !== undefined) this.#outcome = outcome;
  }

  #finish(outcome: { readonly error?: Error }): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#onChunk = undefined;
    if (outcome.error === undefined) this.#settle?.resolve();
    else this.#settle?.reject(outcome.error);
  }
}
