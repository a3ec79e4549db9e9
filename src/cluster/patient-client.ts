import { isOpSdkError, type OpSdkError } from '../base/errors/index.ts';
import { ApiError, createClient, type KubeClient } from '../sdk/kube/index.ts';
import { poll } from '../sdk/net/index.ts';

type Connection = KubeClient['connection'];
type Call = Parameters<Connection['request']>[0];
type Answer = Awaited<ReturnType<Connection['request']>>;

interface Patience {
  /** Maximum time for which one request is repeated, in milliseconds. Default: 30 s, in which an API server can restart. */
  readonly timeout?: number | undefined;
  /** Time between two attempts, in milliseconds. Default: 500. */
  readonly interval?: number | undefined;
  /** Called with a message when the API server stops responding, and when it responds again. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

const lost: ReadonlySet<string> = new Set(['kube/unreachable', 'kube/connection-lost', 'kube/timeout']);

/**
 * Creates a client that repeats idempotent requests while the API server cannot be reached, for example during its restart. Idempotent
 * requests are reads, dry runs, server-side apply, and deletions with a uid as precondition. If the API server has never responded,
 * requests are not repeated. Only the owner of the given client closes it.
 */
export function patientClient(client: KubeClient, patience: Patience = {}): KubeClient {
  const connection = new PatientConnection(client.connection, patience);
  return createClient({ connection, fieldManager: client.fieldManager });
}

class PatientConnection implements Connection {
  readonly #connection: Connection;
  readonly #patience: Patience;
  #hasAnswered = false;
  #isAway = false;

  constructor(connection: Connection, patience: Patience) {
    this.#connection = connection;
    this.#patience = patience;
  }

  get cluster(): Connection['cluster'] {
    return this.#connection.cluster;
  }

  async request(call: Call): Promise<Answer> {
    if (!isRepeatable(call)) return this.#try(call);
    const { timeout = 30_000, interval } = this.#patience;
    let failure: OpSdkError | undefined;
    const answer = await poll(
      async () => {
        try {
          return await this.#try(call);
        } catch (error) {
          // A caller that sets `honourRetryAfter` to false needs the error response itself, for example to learn that a single API group is
          // unavailable.
          const isWanted = call.honourRetryAfter === false && error instanceof ApiError;
          if (!this.#hasAnswered || !isAway(error) || isWanted) return afterRepetition(call, error, failure);
          if (!this.#isAway)
            this.#patience.onProgress?.(`waiting for the API server: ${error.findings[0].message}`);
          this.#isAway = true;
          failure = error;
          return undefined;
        }
      },
      { timeout, interval, signal: call.signal },
    );
    // `poll` has timed out, so the last attempt has failed.
    if (answer === undefined) throw failure ?? new TypeError('a request ends in an answer or a failure');
    return answer;
  }

  stream(call: Call): ReturnType<Connection['stream']> {
    return this.#connection.stream(call);
  }

  upgrade(call: Call, protocols: readonly string[]): ReturnType<Connection['upgrade']> {
    return this.#connection.upgrade(call, protocols);
  }

  warn(text: string): void {
    this.#connection.warn(text);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #try(call: Call): Promise<Answer> {
    try {
      const answer = await this.#connection.request(call);
      this.#answered();
      return answer;
    } catch (error) {
      if (error instanceof ApiError && !isAway(error)) this.#answered();
      throw error;
    }
  }

  #answered(): void {
    this.#hasAnswered = true;
    if (this.#isAway) this.#patience.onProgress?.('the API server answers again');
    this.#isAway = false;
  }
}

function isRepeatable({ method, query, contentType, body }: Call): boolean {
  if (method === 'GET' || query?.['dryRun'] === 'All') return true;
  if (method === 'PATCH') return contentType === 'application/apply-patch+yaml';
  const { preconditions } = (body ?? {}) as { readonly preconditions?: { readonly uid?: string } };
  return method === 'DELETE' && preconditions?.uid !== undefined;
}

/**
 * Returns true if an error means that the API server could not be reached, so that the outcome of the request is unknown. All other errors
 * are caused by the request itself or by the object in it, for example by a webhook that refuses the object.
 */
function isAway(error: unknown): error is OpSdkError {
  if (error instanceof ApiError) return error.status === 503 || error.status === 504;
  return isOpSdkError(error) && lost.has(error.code);
}

/**
 * Returns normally for a repeated deletion if the object no longer exists, or if another object now has its name. In these cases, the first
 * attempt has deleted the object, but its response was lost. Throws all other errors.
 */
function afterRepetition({ method }: Call, error: unknown, failure: OpSdkError | undefined): Answer {
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 409);
  if (method !== 'DELETE' || failure === undefined || !isGone) throw error;
  const text = '{}';
  const json = <T>(): T => JSON.parse(text) as T;
  return { status: 200, headers: {}, body: Buffer.from(text), text: () => text, json };
}
