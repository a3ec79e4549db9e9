import { connect, type Socket } from 'node:net';

/** Answer of a Redis server. */
export type RespValue = string | number | null | readonly RespValue[];

/** Error that a Redis server answers with. */
export class RespError extends Error {}

/** Connection to one Redis server. */
export interface RedisConnection {
  /** False once the connection has failed or ended. */
  readonly isOpen: boolean;
  /** Sends a command. @throws RespError if the server refuses it */
  call(...words: readonly (string | number)[]): Promise<RespValue>;
  /** Ends the connection, and all calls that are not answered yet. */
  close(): void;
}

interface Waiting {
  readonly resolve: (value: RespValue) => void;
  readonly reject: (error: Error) => void;
}

const connectTimeout = 2000;

/**
 * Client of one Redis server, with version 2 of its protocol. Commands may be sent before earlier ones are answered.
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
export class RespClient implements RedisConnection {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #received: Buffer = Buffer.alloc(0);
  #error: Error | undefined;

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port, timeout: connectTimeout });
    this.#socket.on('timeout', () => {
      if (this.#socket.connecting) this.#socket.destroy(new Error(`${host}:${port} does not answer`));
    });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error(`${host}:${port} has closed the connection`)));
  }

  get isOpen(): boolean {
    return this.#error === undefined;
  }

  async call(...words: readonly (string | number)[]): Promise<RespValue> {
    if (this.#error !== undefined) throw this.#error;
    const bulks = words.map(String).map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(`*${bulks.length}\r\n${bulks.join('')}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(error: Error): void {
    this.#error ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    try {
      for (;;) {
        const answer = parse(this.#received, 0);
        if (answer === undefined) return;
        this.#received = this.#received.subarray(answer.end);
        const waiting = this.#waiting.shift();
        if (answer.value instanceof RespError) waiting?.reject(answer.value);
        else waiting?.resolve(answer.value);
      }
    } catch (error) {
      this.#socket.destroy(error as Error);
    }
  }
}

interface Parsed<T> {
  readonly value: T;
  /** Place after the answer. */
  readonly end: number;
}

/** Reads one answer. @returns undefined if it is not complete. @throws if it is none */
function parse(buffer: Buffer, start: number): Parsed<RespValue | RespError> | undefined {
  const lineEnd = buffer.indexOf('\r\n', start);
  if (lineEnd === -1) return undefined;
  const line = buffer.toString('utf8', start + 1, lineEnd);
  const end = lineEnd + 2;
  const type = String.fromCharCode(buffer[start] ?? 0);
  if (type === '+') return { value: line, end };
  if (type === '-') return { value: new RespError(line), end };
  if (type === ':') return { value: Number(line), end };
  if (type !== '$' && type !== '*')
    throw new Error(`expected an answer of Redis, got ${JSON.stringify(type + line)}`);
  const length = Number(line);
  if (length === -1) return { value: null, end };
  if (type === '*') return parseItems(buffer, end, length);
  if (buffer.length < end + length + 2) return undefined;
  return { value: buffer.toString('utf8', end, end + length), end: end + length + 2 };
}

/** Reads the items of an array. An error among them is the error of the whole. */
function parseItems(buffer: Buffer, start: number, count: number): Parsed<RespValue | RespError> | undefined {
  const items: RespValue[] = [];
  let error: RespError | undefined;
  let end = start;
  for (let index = 0; index < count; index++) {
    const item = parse(buffer, end);
    if (item === undefined) return undefined;
    if (item.value instanceof RespError) error ??= item.value;
    else items.push(item.value);
    ({ end } = item);
  }
  return { value: error ?? items, end };
}
