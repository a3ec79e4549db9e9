import { connect, type Socket } from 'node:net';

/** Answer of a Redis server. */
export type RespValue = string | number | null | readonly RespValue[];

/** Error that a Redis server answers with. */
export class RespError extends Error {}

interface Waiting {
  readonly resolve: (value: RespValue) => void;
  readonly reject: (error: Error) => void;
}

const connectTimeout = 2000;

/**
 * Client of one Redis server, with version 2 of its protocol. Commands may be sent before earlier ones are answered.
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
export class RespClient {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #received: Buffer = Buffer.alloc(0);
  #error: Error | undefined;

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port, timeout: connectTimeout });
    this.#socket.on('timeout', () => {
      if (this.#socket.connecting) this.#socket.destroy(new Error(`${host}:${port} does not answer`));
    });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error(`${host}:${port} has closed the connection`)));
  }

  /** False once the connection has failed or ended. */
  get isOpen(): boolean {
    return this.#error === undefined;
  }

  /** Sends a command. @throws RespError if the server refuses it */
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

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    let start = 0;
    for (;;) {
      const answer = parse(this.#received, start);
      if (answer === undefined) break;
      start = answer.end;
      const waiting = this.#waiting.shift();
      if (answer.value instanceof RespError) waiting?.reject(answer.value);
      else waiting?.resolve(answer.value);
    }
    this.#received = this.#received.subarray(start);
  }
}

interface Parsed<T> {
  readonly value: T;
  /** Place after the answer. */
  readonly end: number;
}

/** Reads one answer. @returns undefined if it is not complete */
function parse(buffer: Buffer, start: number): Parsed<RespValue | RespError> | undefined {
  const lineEnd = buffer.indexOf('\r\n', start);
  if (lineEnd === -1) return undefined;
  const line = buffer.toString('utf8', start + 1, lineEnd);
  const end = lineEnd + 2;
  const type = String.fromCharCode(buffer[start] ?? 0);
  if (type === '+') return { value: line, end };
  if (type === '-') return { value: new RespError(line), end };
  if (type === ':') return { value: Number(line), end };
  const length = Number(line);
  if (length === -1) return { value: null, end };
  if (type === '$') {
    if (buffer.length < end + length + 2) return undefined;
    return { value: buffer.toString('utf8', end, end + length), end: end + length + 2 };
  }
  if (type === '*') return parseItems(buffer, end, length);
  throw new Error(`expected an answer of Redis, got ${JSON.stringify(type + line)}`);
}

function parseItems(buffer: Buffer, start: number, count: number): Parsed<RespValue> | undefined {
  const items: RespValue[] = [];
  let end = start;
  while (items.length < count) {
    const item = parse(buffer, end);
    if (item === undefined) return undefined;
    if (item.value instanceof RespError) throw item.value;
    items.push(item.value);
    ({ end } = item);
  }
  return { value: items, end };
}
