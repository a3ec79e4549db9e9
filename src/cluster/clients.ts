import { isOpSdkError, type OpSdkError } from '../base/errors/index.ts';
import { ApiError, createClient, type KubeClient } from '../sdk/kube/index.ts';
import { poll, type PollOptions } from '../sdk/net/index.ts';

export interface ClusterPollOptions extends PollOptions {
  /** Called with a progress message when the API server stops answering, and when it answers again. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * HTTP statuses returned by servers that are starting, ending or overloaded, or by proxies in front of them. A later request may succeed.
 */
const passingStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const passingCodes: ReadonlySet<string> = new Set([
  'kube/unreachable',
  'kube/connection-lost',
  'kube/timeout',
]);

/** Returns true if a request failed because the API server was temporarily unreachable, for example during its restart. */
function isPassing(error: unknown): error is OpSdkError {
  if (error instanceof ApiError) return passingStatuses.has(error.status);
  return isOpSdkError(error) && passingCodes.has(error.code);
}

/**
 * Calls `look` repeatedly like `poll`. If `look` fails because the API server cannot be reached, it is called again until the timeout, so
 * that a wait survives a restart of the API server.
 *
 * @returns the result of `look`; undefined if it was undefined until the timeout
 * @throws the signal's reason, other errors of `look`, and at the timeout the error of the last call if that call failed
 */
export async function pollCluster<T>(
  look: () => Promise<T | undefined>,
  { onProgress, ...options }: ClusterPollOptions,
): Promise<T | undefined> {
  let failure: OpSdkError | undefined;
  const lookAgain = async (): Promise<T | undefined> => {
    try {
      const seen = await look();
      if (failure !== undefined) onProgress?.('the API server answers again');
      failure = undefined;
      return seen;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (failure === undefined) onProgress?.(`waiting for the API server: ${error.findings[0].message}`);
      failure = error;
      return undefined;
    }
  };
  const seen = await poll(lookAgain, options);
  if (seen === undefined && failure !== undefined) throw failure;
  return seen;
}

type Connection = KubeClient['connection'];

/**
 * Creates a client that uses the connection of the given client but ignores warnings of the API server. Used for requests about types that
 * op-sdk chooses itself, such as all served types. The user cannot act on warnings that such a type is deprecated. Only the caller that
 * opened the given client closes it.
 */
export function quietClient({ connection, fieldManager }: KubeClient): KubeClient {
  const quiet: Connection = {
    cluster: connection.cluster,
    request: (call) => connection.request({ ...call, ignoreWarnings: true }),
    stream: (call) => connection.stream({ ...call, ignoreWarnings: true }),
    upgrade: (call, protocols) => connection.upgrade({ ...call, ignoreWarnings: true }, protocols),
    warn: (text) => connection.warn(text),
    close: () => connection.close(),
  };
  return createClient({ connection: quiet, fieldManager });
}
