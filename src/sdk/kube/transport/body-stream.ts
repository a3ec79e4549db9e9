import type { Readable } from 'node:stream';
import { onAbort, toError } from '../../net/index.ts';
import { nodeMessageOf, nodeErrorCode, TransportError } from './transport-error.ts';
import type { ResponseHead, TransportStream } from './transport.ts';

interface Source {
  readonly head: ResponseHead;
  readonly readable: Readable;
  /** Asked when the readable has closed: whether the body came to its regular end. */
  isComplete(): boolean;
  /** Ends the exchange; the readable closes. */
  abort(): void;
  readonly signal: AbortSignal | undefined;
  readonly describe: string;
}

/** The response of a Node stream as a {@link TransportStream}, the same for both protocols. */
export function bodyStream(source: Source): TransportStream {
  const { readable } = source;
  let onChunk: ((chunk: Buffer) => void) | undefined;
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  let outcome: { readonly error?: Error } | undefined;
  let streamError: unknown;

  const finish = (result: { readonly error?: Error }): void => {
    if (outcome !== undefined) return;
    outcome = result;
    onChunk = undefined;
    stopListening();
    if (result.error !== undefined) settle?.reject(result.error);
    else settle?.resolve();
  };
  const quit = (result: { readonly error?: Error }): void => {
    // What has ended may have given its connection to another request.
    if (outcome !== undefined) return;
    finish(result);
    source.abort();
  };

  // Attached before anyone reads: a stream that breaks early must not become an uncaught error.
  readable.on('error', (error) => {
    streamError ??= error;
  });
  readable.on('close', () => {
    if (source.isComplete() && streamError === undefined) finish({});
    else finish({ error: lost(source.describe, streamError) });
  });
  let stopListening: () => void = () => undefined;
  stopListening = onAbort(source.signal, (reason) => quit({ error: reason }));

  return {
    ...source.head,
    read(callback) {
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        if (outcome !== undefined) {
          if (outcome.error !== undefined) reject(outcome.error);
          else resolve();
          return;
        }
        onChunk = callback;
        readable.on('data', (chunk: Buffer) => {
          try {
            onChunk?.(chunk);
          } catch (error) {
            quit({ error: toError(error) });
          }
        });
        readable.resume();
      });
    },
    cancel: () => quit({}),
  };
}

function lost(describe: string, cause: unknown): TransportError {
  const detail = cause === undefined ? 'it ended early' : `${nodeMessageOf(cause)}${codeSuffix(cause)}`;
  return new TransportError('kube/connection-lost', `the connection broke during ${describe}: ${detail}`, {
    cause,
  });
}

function codeSuffix(cause: unknown): string {
  const code = nodeErrorCode(cause);
  return code === '' || nodeMessageOf(cause).includes(code) ? '' : ` (${code})`;
}
