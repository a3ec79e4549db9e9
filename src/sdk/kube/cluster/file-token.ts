import * as fs from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { OpSdkError } from '../../../base/errors/index.ts';
import { renewedSecret, SharedWait, type SharedRun } from '../../net/index.ts';
import type { HeaderValues } from '../transport/transport.ts';
import type { Credentials } from './cluster.ts';

/**
 * Milliseconds after which a token file is read again. The kubelet renews projected tokens well before they expire; client-go also reads
 * token files again after a minute.
 */
const rereadAfter = 60_000;

/**
 * Creates credentials from a bearer token in a file that another process renews. The file is read again a minute after the last read at the
 * latest, and immediately after a 401.
 *
 * @param now returns the milliseconds of a monotonic clock
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
        message: `the token file ${path} cannot be read: ${(error as Error).message}`,
        where: { file: path },
      },
      { cause: error },
    );
  }
  if (token === '')
    throw new OpSdkError({
      code: 'kube/credentials-failed',
      message: `the token file ${path} is empty`,
      where: { file: path },
    });
  return token;
}

const open = promisify(fs.open);
const close = promisify(fs.close);
const stat = promisify(fs.fstat);
const readWhole = promisify(fs.readFile);

/** Time limit for reading a file in milliseconds, because a network file system may not respond. */
const readLimit = 10_000;
/** Maximum number of bytes read from a pipe; tokens and certificates are far smaller. */
const maxPiped = 16 * 1024 * 1024;

/**
 * A text file that another program writes, such as a token, a certificate or a kubeconfig. Each call reads the file; concurrent calls share
 * one read. Also reads named pipes, without a thread that waits for the writer of the pipe.
 */
export class OutsideFile {
  readonly #wait: SharedWait<string>;

  /**
   * @param subject name of the file in logs and errors, such as `token file of user jane`
   * @param limit time limit for a read, in milliseconds
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

  /**
   * Reads the file. @throws the error of the file system; OpSdkError `kube/credentials-failed` if the file system does not respond; the
   * signal's reason
   */
  read(signal?: AbortSignal): Promise<string> {
    return this.#wait.join(signal);
  }
}

async function readText(path: string, run: SharedRun): Promise<string> {
  // Without O_NONBLOCK, a thread would wait until another process writes to the pipe, and this process could not exit.
  const fd = await open(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  // True once a socket reads the pipe, because the socket then closes the file descriptor.
  let isHanded = false;
  try {
    const stats = await stat(fd);
    // Rejects a folder, because Node would read it through a descriptor as an empty file.
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
