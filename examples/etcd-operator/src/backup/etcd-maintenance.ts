import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { BackupError } from './backup-error.ts';
import { send, textOf, type TlsFiles } from './http.ts';
import { SnapshotHash, type HashedSnapshot } from './snapshot-hash.ts';

/** Member of a cluster, as it answers for itself. */
export interface EtcdMember {
  readonly endpoint: string;
  /** Revision of its data. */
  readonly revision: number;
  /** Version of etcd, such as `3.6.8`. */
  readonly version: string;
}

export interface EtcdOptions {
  readonly tls?: TlsFiles | undefined;
  /** Milliseconds without data after which a call fails. Default: 10,000 for the status, 60,000 for a snapshot. */
  readonly idleMs?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Returns the member with the newest data. Members that do not answer, learners and those with errors are left out: the others have all that
 * was acknowledged, or the member has fallen behind, and then its revision is lower.
 *
 * @throws BackupError `EtcdUnreachable` with what each endpoint says
 */
export async function newestMember(endpoints: readonly string[], options: EtcdOptions): Promise<EtcdMember> {
  const problems: string[] = [];
  const members = await Promise.all(
    endpoints.map(async (endpoint) => {
      try {
        return [await statusOf(endpoint, options)];
      } catch (error) {
        options.signal.throwIfAborted();
        const { message, code } = error as NodeJS.ErrnoException;
        problems.push(`${endpoint}: ${message === '' ? (code ?? 'no answer') : message}`);
        return [];
      }
    }),
  );
  const [newest] = members.flat().sort((a, b) => b.revision - a.revision);
  if (newest !== undefined) return newest;
  throw new BackupError(
    'EtcdUnreachable',
    `expected a healthy member of etcd; ${problems.sort().join('; ')}`,
  );
}

async function statusOf(endpoint: string, options: EtcdOptions): Promise<EtcdMember> {
  const response = await post(endpoint, 'status', { idleMs: 10_000, ...options });
  const text = await textOf(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${messageIn(text)}`);
  const status = JSON.parse(text) as {
    readonly header?: { readonly revision?: string };
    readonly version?: string;
    readonly isLearner?: boolean;
    readonly errors?: readonly string[];
  };
  if (status.isLearner === true) throw new Error('is a learner');
  if (status.errors !== undefined && status.errors.length > 0) throw new Error(status.errors.join(', '));
  const revision = Number(status.header?.revision);
  if (!Number.isSafeInteger(revision) || revision < 1) throw new Error('expected a revision in its status');
  return { endpoint, revision, version: status.version ?? '' };
}

/**
 * Streams a snapshot of a member into a file.
 *
 * @returns checksum and size of the file
 * @throws BackupError `SnapshotIncomplete` if the stream breaks off, or the checksum that etcd sends at its end is another one
 */
export async function downloadSnapshot(
  { endpoint }: EtcdMember,
  file: string,
  options: EtcdOptions,
): Promise<HashedSnapshot> {
  const incomplete = (message: string, cause?: unknown): BackupError =>
    new BackupError('SnapshotIncomplete', `snapshot of ${endpoint}: ${message}`, { cause });
  const hash = new SnapshotHash();
  try {
    const response = await post(endpoint, 'snapshot', options);
    if (response.statusCode !== 200)
      throw incomplete(
        `expected a snapshot, got ${response.statusCode} ${messageIn(await textOf(response))}`,
      );
    async function* blobs(): AsyncGenerator<Buffer> {
      for await (const line of linesOf(response)) {
        const blob = blobOf(line, incomplete);
        hash.update(blob);
        yield blob;
      }
    }
    await pipeline(blobs, createWriteStream(file), { signal: options.signal });
    // An interrupted answer ends the lines without an error.
    if (!response.complete) throw incomplete('the connection broke off');
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof BackupError ? error : incomplete((error as Error).message, error);
  }
  const snapshot = hash.end();
  if (!snapshot.isWhole)
    throw incomplete(`expected the checksum of etcd at its end, got ${snapshot.sizeBytes} bytes without it`);
  return snapshot;
}

/** Splits an answer into lines. One that breaks off in the middle of a line is an error. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}

/** Returns the bytes of one message of the stream: `{"result":{"blob":"…"}}`. */
function blobOf(line: string, incomplete: (message: string, cause?: unknown) => BackupError): Buffer {
  let message: {
    readonly result?: { readonly blob?: unknown };
    readonly error?: { readonly message?: string };
  };
  try {
    message = JSON.parse(line) as typeof message;
  } catch (error) {
    throw incomplete('expected lines of JSON', error);
  }
  if (message.error !== undefined) throw incomplete(message.error.message ?? 'etcd reports an error');
  const { blob = '' } = message.result ?? {};
  if (typeof blob !== 'string') throw incomplete('expected a blob in each message');
  return Buffer.from(blob, 'base64');
}

/** Calls the maintenance API through etcd's JSON gateway. */
function post(
  endpoint: string,
  verb: string,
  { tls, idleMs, signal }: EtcdOptions,
): Promise<IncomingMessage> {
  const url = `${endpoint.replace(/\/$/, '')}/v3/maintenance/${verb}`;
  const headers = { 'content-type': 'application/json', 'content-length': 2 };
  return send({ method: 'POST', url, headers, body: '{}', tls, idleMs }, signal);
}

/** Returns the message of an error of the gateway, or the beginning of any other text. */
function messageIn(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { readonly message?: string; readonly error?: unknown };
    return message ?? String(error);
  } catch {
    return text.slice(0, 200).trim();
  }
}
