import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { encodeCommand } from './resp.ts';
import { RespError, type RespAddress } from './resp-client.ts';

/** Milliseconds without a byte: a server that writes its file sends line breaks meanwhile. */
const idleTimeout = 60_000;

/**
 * Reads the data of a server as a new replica would: a snapshot of one moment, as an RDB file.
 * @throws RespError if the server refuses it; Error if the connection ends before the file does
 * @see https://redis.io/docs/latest/commands/psync/
 */
export async function* readRdb(
  { host, port, password }: RespAddress,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const socket = connect({ host, port, signal });
  socket.setTimeout(idleTimeout, () => socket.destroy(new Error(`${host}:${port} does not answer`)));
  try {
    await once(socket, 'connect');
    const bytes = new SocketReader(socket);
    if (password !== undefined) await ask(socket, bytes, 'AUTH', password);
    // The snapshot alone, without the writes after it. Servers before 6.2 refuse it, and send both.
    await ask(socket, bytes, 'REPLCONF', 'rdb-only', '1').catch((error: unknown) => {
      if (!(error instanceof RespError)) throw error;
    });
    socket.write(encodeCommand(['SYNC']));
    const header = await bytes.line();
    const [, size] = /^\$(\d+)$/.exec(header) ?? [];
    if (size === undefined) {
      if (header.startsWith('-')) throw new RespError(header.slice(1));
      throw new Error(`SYNC: expected the size of a file, got ${JSON.stringify(header)}`);
    }
    for (let left = Number(size); left > 0;) {
      const chunk = await bytes.some(left);
      left -= chunk.length;
      yield chunk;
    }
  } finally {
    socket.destroy();
  }
}

async function ask(socket: Socket, bytes: SocketReader, ...words: readonly string[]): Promise<void> {
  socket.write(encodeCommand(words));
  const line = await bytes.line();
  if (line.startsWith('-')) throw new RespError(line.slice(1));
}

/** Reads lines and bytes of a socket, no faster than they are asked for. */
class SocketReader {
  readonly #chunks: AsyncIterator<Buffer, undefined>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = (socket as AsyncIterable<Buffer, undefined>)[Symbol.asyncIterator]();
  }

  /** Returns the next line that is not empty. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end === -1) {
        this.#rest = Buffer.concat([this.#rest, await this.#next()]);
        continue;
      }
      const line = this.#rest.toString('utf8', 0, end).trim();
      this.#rest = this.#rest.subarray(end + 1);
      if (line !== '') return line;
    }
  }

  /** Returns bytes that are there, at most as many as are asked for. */
  async some(limit: number): Promise<Buffer> {
    const bytes = this.#rest.length > 0 ? this.#rest : await this.#next();
    this.#rest = bytes.subarray(limit);
    return bytes.subarray(0, limit);
  }

  async #next(): Promise<Buffer> {
    const { value } = await this.#chunks.next();
    if (value === undefined) throw new Error('the server has closed the connection');
    return value;
  }
}
