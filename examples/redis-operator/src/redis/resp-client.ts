import { connect, type Socket } from 'node:net';
import { encodeCommand, parseAnswer, textOf, type RespData, type RespValue, type RespWord } from './resp.ts';

/** Error that a Redis server answers with. */
export class RespError extends Error {
  override readonly name = 'RespError';
}

/** Connection to one Redis server. */
export interface RedisConnection {
  /** False once the connection has failed or ended. */
  readonly isOpen: boolean;
  /** Sends a command. @throws RespError if the server refuses it */
  call(...words: readonly RespWord[]): Promise<RespValue>;
  /** Sends a command whose answer is bytes, such as names of keys. @throws RespError if the server refuses it */
  callBinary(...words: readonly RespWord[]): Promise<RespData>;
  /** Ends the connection, and all calls that are not answered yet. */
  close(): void;
}

export interface RespAddress {
  readonly host: string;
  readonly port: number;
  /** Password of the user `default`. */
  readonly password?: string | undefined;
}

interface Waiting {
  readonly resolve: (value: RespData) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds to connect. */
const connectTimeout = 2000;

/** Milliseconds without an answer: longer than MIGRATE may block a server. */
const answerTimeout = 15_000;

/**
 * Client of one Redis server, with version 2 of its protocol. Commands may be sent before earlier ones are answered.
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
export class RespClient implements RedisConnection {
  readonly #socket: Socket;
  readonly #name: string;
  readonly #waiting: Waiting[] = [];
  #received: Buffer = Buffer.alloc(0);
  #error: Error | undefined;

  constructor({ host, port, password }: RespAddress) {
    this.#name = `${host}:${port}`;
    this.#socket = connect({ host, port, timeout: connectTimeout });
    this.#socket.on('connect', () => this.#socket.setTimeout(answerTimeout).setNoDelay());
    this.#socket.on('timeout', () => {
      if (this.#socket.connecting || this.#waiting.length > 0)
        this.#socket.destroy(new Error(`${this.#name} does not answer`));
    });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error(`${this.#name} has closed the connection`)));
    // A refusal is that of the next command, too: the server then refuses all of them.
    if (password !== undefined) this.call('AUTH', password).catch(() => undefined);
  }

  get isOpen(): boolean {
    return this.#error === undefined;
  }

  async call(...words: readonly RespWord[]): Promise<RespValue> {
    return textOf(await this.callBinary(...words));
  }

  async callBinary(...words: readonly RespWord[]): Promise<RespData> {
    if (this.#error !== undefined) throw this.#error;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(encodeCommand(words));
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
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    try {
      for (;;) {
        const answer = parseAnswer(this.#received, 0);
        if (answer === undefined) return;
        this.#received = this.#received.subarray(answer.end);
        const waiting = this.#waiting.shift();
        if ('error' in answer) waiting?.reject(new RespError(answer.error));
        else waiting?.resolve(answer.value);
      }
    } catch (error) {
      this.#socket.destroy(error as Error);
    }
  }
}
