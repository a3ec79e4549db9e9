import { OpSdkError } from '../../base/errors/index.ts';
import type { ClientRequest, ClientResponse, RegistryClient } from './client.ts';
import { Transient } from './failure.ts';

/** The upload is gone or out of step: it must start again. */
export class SessionLost extends Error {
  readonly failure: OpSdkError;

  constructor(failure: OpSdkError) {
    super(failure.message);
    this.name = 'SessionLost';
    this.failure = failure;
  }
}

/** An upload under way. Each answer may move it: only the newest Location counts. */
export class UploadSession {
  /** The smallest part that the registry takes, in bytes; undefined if it does not care. */
  readonly smallestChunk: number | undefined;
  readonly #client: RegistryClient;
  readonly #scopes: readonly string[];
  #location: URL;

  /** @param started the answer 202 that began the upload */
  constructor(client: RegistryClient, scopes: readonly string[], started: ClientResponse) {
    this.#client = client;
    this.#scopes = scopes;
    this.#location = locationOf(started, client);
    const smallest = Number(started.header('oci-chunk-min-length') ?? NaN);
    this.smallestChunk = Number.isSafeInteger(smallest) && smallest > 0 ? smallest : undefined;
  }

  /**
   * Sends a part, or asks for the state (GET).
   * @returns how many bytes the registry has, if it says so
   */
  async step(request: Pick<ClientRequest, 'method' | 'headers' | 'body' | 'expect'>): Promise<{
    readonly status: number;
    readonly held: number | undefined;
  }> {
    const response = await this.#send(request, this.#location);
    response.discard();
    if (response.header('location') !== undefined) this.#location = locationOf(response, this.#client);
    const end = /^(?:bytes[= ])?0-(\d+)$/.exec(response.header('range')?.trim() ?? '')?.[1];
    return { status: response.status, held: end === undefined ? undefined : Number(end) + 1 };
  }

  /** Sends the last part, or nothing, and ends the upload: the registry checks the digest. */
  async finish(
    digest: string,
    request: Pick<ClientRequest, 'headers' | 'body' | 'expect'>,
  ): Promise<ClientResponse> {
    const url = new URL(this.#location);
    // The query is the registry's own and may be signed: it is left as it is.
    url.search = `${url.search === '' ? '?' : `${url.search}&`}digest=${encodeURIComponent(digest)}`;
    return this.#send({ ...request, method: 'PUT' }, url);
  }

  /** Tells the registry that the upload will not be ended. Never throws: it is a courtesy, and registries clean up by themselves. */
  async abandon(): Promise<void> {
    try {
      const response = await this.#client.once({
        method: 'DELETE',
        url: this.#location,
        scopes: this.#scopes,
        expect: [200, 202, 204, 400, 404, 405],
        what: 'the end of an upload',
        // The command's own signal may be why the upload ends.
        signal: AbortSignal.timeout(5_000),
      });
      response.discard();
    } catch {
      // What matters is why the upload ended.
    }
  }

  async #send(
    request: Pick<ClientRequest, 'method' | 'headers' | 'body' | 'expect'>,
    url: URL,
  ): Promise<ClientResponse> {
    try {
      return await this.#client.once({
        ...request,
        url,
        scopes: this.#scopes,
        what: request.method === 'GET' ? 'a question about an upload' : 'an upload',
        headers: { 'content-type': 'application/octet-stream', ...request.headers },
      });
    } catch (error) {
      // A registry that was restarted has forgotten it; behind a balancer another one may never have known it.
      if (error instanceof OpSdkError && error.code === 'oci/not-found') throw new SessionLost(error);
      throw error;
    }
  }
}

/** Runs an upload: starts it again as often as it makes sense, and leaves no dead one behind. */
export async function withSession<T>(
  client: RegistryClient,
  start: () => Promise<UploadSession>,
  upload: (session: UploadSession) => Promise<T>,
): Promise<T> {
  return client.retry(async () => {
    const session = await start();
    try {
      return await upload(session);
    } catch (error) {
      await session.abandon();
      throw error instanceof SessionLost ? new Transient(error.failure) : error;
    }
  });
}

function locationOf(response: ClientResponse, { purpose }: RegistryClient): URL {
  const location = response.header('location');
  if (location !== undefined && URL.canParse(location, response.url.href))
    return new URL(location, response.url);
  throw new OpSdkError({
    code: 'oci/registry-error',
    message: `cannot ${purpose.doing}: ${purpose.registry} begins an upload but does not say where (no Location)`,
    where: { object: purpose.registry },
    fix: ['check that a registry listens there'],
  });
}
