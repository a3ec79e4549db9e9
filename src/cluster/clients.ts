import { isOpSdkError, type OpSdkError } from '../base/errors/index.ts';
import { ApiError, createClient, type KubeClient } from '../sdk/kube/index.ts';
import { poll, type PollOptions } from '../sdk/net/index.ts';

export interface ClusterPollOptions extends PollOptions {
  /** Called with a line when the API server stops answering, and when it answers again. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** The answers of servers that are starting, ending or overloaded, and of what lies in front of them. */
const passingStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const passingCodes: ReadonlySet<string> = new Set([
  'kube/unreachable',
  'kube/connection-lost',
  'kube/timeout',
]);

/** True if a request failed because the API server could not be reached for a moment, as during its restart. */
function isPassing(error: unknown): error is OpSdkError {
  if (error instanceof ApiError) return passingStatuses.has(error.status);
  return isOpSdkError(error) && passingCodes.has(error.code);
}

/**
 * Like `poll`, on a cluster: a look that fails because the API server cannot be reached is repeated until the end of the
 * time, so that a wait survives its restart.
 *
 * @returns what `look` gave; undefined if it was undefined until the end of the time
 * @throws the signal's reason, what `look` throws, and at the end of the time the failure of the last look
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
 * Creates a client that ignores warnings of the API server: for requests about types that op-sdk chooses, such as all served ones, whose
 * deprecation the user cannot fix. The given client is closed by its owner.
 */
export function quietClient({ connection, fieldManager }: KubeClient): KubeClient {
  const quiet: Connection = {
    cluster: connection.cluster,
    request: (call) => connection.request({ ...call, ignoreWarnings: true }),
    stream: (call) => connection.stream({ ...call, ignoreWarnings: true }),
    warn: (text) => connection.warn(text),
    close: () => connection.close(),
  };
  return createClient({ connection: quiet, fieldManager });
}
