import { ApiError } from '../kube/index.ts';
import { TransportError } from '../kube/transport/transport-error.ts';
import { poll, type PollOptions } from '../net/index.ts';

export interface PollClusterOptions extends PollOptions {
  /** Called when the API server cannot be reached. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * Looks at a cluster again and again, as `poll` does. An API server that is away for a while, such as one that is upgraded, does not end
 * the wait.
 *
 * @returns what `look` gave; undefined if it was undefined until the end of the time
 * @throws the signal's reason, and what `look` throws; what kept the API server from answering if it does not at the end
 */
export async function pollCluster<T>(
  look: () => Promise<T | undefined>,
  { onProgress, ...options }: PollClusterOptions,
): Promise<T | undefined> {
  let failure: Error | undefined;
  const seen = await poll(async () => {
    try {
      const found = await look();
      failure = undefined;
      return found;
    } catch (error) {
      if (!isOutage(error)) throw error;
      failure = error;
      onProgress?.('waiting for the API server to answer');
      return undefined;
    }
  }, options);
  if (failure !== undefined) throw failure;
  return seen;
}

/** Whether the API server is away, or not yet ready to answer. */
function isOutage(error: unknown): error is Error {
  if (error instanceof TransportError) return error.code !== 'kube/bad-response' && error.code !== 'kube/tls';
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}
