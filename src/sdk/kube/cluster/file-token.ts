import * as fs from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { OpSdkError } from '../../../base/errors/index.ts';
import { renewedSecret, SharedWait, type SharedRun } from '../../net/index.ts';
import type { HeaderValues } from '../transport/transport.ts';
import type { Credentials } from './cluster.ts';

/** The kubelet renews projected tokens well before they expire; client-go also reads them again after a minute. */
const rereadAfter = 60_000;

/**
 * Creates credentials from a bearer token in a file that another process renews. The file is read again at most a minute after the last
 * read, and immediately after a 401.
 *
 * @param now milliseconds of a monotonic clock
 */
export function fileToken(path: string, now: () => number = () => performance.now()): Credentials {
  let readAt: number | undefined;
  let token: string | undefined;
  let headers: HeaderValues = {};
  const hide = renewedSecret();
  const file = new OutsideFile(path, 'token file');
  const renew = async (signal: AbortSignal | undefined): Promise<HeaderValues> => {
    const renewed = await readToken(file, path, signal);
    readAt = now();
    if (renewed !== token) headers = { authorization: `Bearer ${renewed}` };
    token = renewed;
    hide(renewed);
    return headers;
  };
  return {
    headers: (signal) => (readAt === undefined || now() - readAt >= rereadAfter ? renew(signal) : headers),
    refresh() {
      readAt = undefined;
      return true;
    },
  };
}

async function readToken(file: OutsideFile, path: string, signal: AbortSignal | undefined): Promise<string> {
  let token: string;
  try {
    token = (await file.read(signal)).trim();
  } catch (error) {
    if (signal?.aborted === true || error instanceof OpSdkError) throw error;
    throw new OpSdkError(
      {
        code: 'kube/credentials-failed',
        message: `the token file cannot be read: ${(error as Error).message}`,
        where: { file: path },
      },
      { cause: error },
    );
  }
  if (token === '')
    throw new OpSdkError({
      code: 'kube/credentials-failed',
      message: 'the token file is empty',
      where: { file: path },
    });
  return token;
}

const open = promisify(fs.open);
const close = promisify(fs.close);
const stat = promisify(fs.fstat);
const readWhole = promisify(fs.readFile);

/** Time limit for a read in milliseconds: a network file system may not answer. */
const readLimit = 10_000;
/** Limit for a pipe in bytes; tokens and certificates are far smaller. */
const maxPiped = 16 * 1024 * 1024;

/**
 * A text file that another program writes: a token, a certificate, a kubeconfig. The file is read on each call; concurrent calls share one
 * read. Also reads pipes, without a thread that waits for the writer.
 */
export class OutsideFile {
  readonly #wait: SharedWait<string>;

  /**
   * @param subject the name of the file in logs and errors: `token file of user jane`
   * @param limit milliseconds
   */
  constructor(path: string, subject: string, limit = readLimit) {
    this.#wait = new SharedWait({
      subject: `${subject} ${path}`,
      limit: () => limit,
      late: () =>
        new OpSdkError({
          code: 'kube/credentials-failed',
          message: `the ${subject} cannot be read: no answer within ${limit / 1000} s`,
          where: { file: path },
          fix: ['check the file system or the program that provides the file'],
        }),
      work: (run) => readText(path, run),
    });
  }

  /** @throws the error of the file system; OpSdkError `kube/credentials-failed` if it does not answer; the signal's reason */
  read(signal?: AbortSignal): Promise<string> {
    return this.#wait.join(signal);
  }
}

async function readText(path: string, run: SharedRun): Promise<string> {
  // Without O_NONBLOCK a thread would wait for the writer of a pipe, and the process could not exit.
  const fd = await open(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  // The socket that reads a pipe closes the descriptor.
  let isHanded = false;
  try {
    const stats = await stat(fd);
    // Node reads a folder through a descriptor as an empty file.
    if (stats.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR' });
    isHanded = stats.isFIFO();
    return await (isHanded ? readPipe(fd, run) : readWhole(fd, 'utf8'));
  } finally {
    if (!isHanded) await close(fd);
  }
}

function readPipe(fd: number, run: SharedRun): Promise<string> {
  const socket = new Socket({ fd, readable: true, writable: false, signal: run.signal });
  run.hold(socket);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxPiped) socket.destroy(new Error(`the pipe gives more than ${maxPiped} bytes`));
    });
    socket.once('error', reject);
    socket.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.once('close', () => reject(new Error('the pipe was closed')));
  });
}
