import { OpSdkError } from '../../base/errors/index.ts';
import type { ImageReference } from '../types.ts';
import {
  reachOf,
  parseRetryAfter,
  createWire,
  type Wire,
  type WireResponse,
  WireError,
  type WireErrorKind,
  pause,
  systemClock,
} from '../../sdk/net/index.ts';
import { loadAuthorities } from './authorities.ts';
import { Authorizer } from './authorizer.ts';
import { findCredentials } from './credentials/find-credentials.ts';
import type { FoundCredentials } from './credentials/auth-file.ts';
import {
  failureOf,
  failureOfWire,
  isTransientStatus,
  Transient,
  type Purpose,
  createMessageCleaner,
} from './failure.ts';
import {
  defaultTiming,
  type RegistryClock,
  type RegistryOptions,
  type RegistryTiming,
  registryOrigins,
  safeTargets,
  type SafeTargets,
  withRetries,
} from './options.ts';

/** The real clock and random numbers of the system. */
const registryClock: RegistryClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async wait(milliseconds, signal) {
    await pause(systemClock, milliseconds, signal);
    signal.throwIfAborted();
  },
};

/** A request to a registry, or to a server to which the registry redirects. */
export interface ClientRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Absolute URL, or a path that is appended to the origin of the registry. */
  readonly url: URL | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly size: number; readonly read: () => AsyncIterable<Uint8Array> };
  /** The rights that the request needs, such as `repository:team/operator:pull,push`. */
  readonly scopes: readonly string[];
  /** The response statuses that the caller handles; for any other status an error is thrown. */
  readonly expect: readonly number[];
  /** Name of the requested thing for messages, such as `the manifest v1`. */
  readonly what: string;
  readonly signal?: AbortSignal;
}

/** An answer and its URL after all redirects, to which relative Location headers refer. */
export interface ClientResponse extends WireResponse {
  readonly url: URL;
}

/** Client of one registry for one repository. */
export interface RegistryClient {
  readonly clock: RegistryClock;
  readonly timing: RegistryTiming;
  /** Maximum number of retries until the image is found. For a mirror it is 0, because another server can be tried instead. */
  readonly firstRetries: number;
  readonly signal: AbortSignal;
  readonly purpose: Purpose;
  progress(line: string): void;
  /**
   * Sends a request without retrying failures. Renews authentication and follows redirects; each time, the request body is read again.
   * @throws Transient if a retry may help; OpSdkError; the signal's reason
   */
  once(request: ClientRequest): Promise<ClientResponse>;
  /** Sends a request like {@link RegistryClient.once}, but retries failures. Use it only for idempotent requests. */
  request(request: ClientRequest): Promise<ClientResponse>;
  /**
   * Retries a step that consists of several requests.
   * @param retries maximum number of retries; default: that of `timing`
   */
  retry<T>(attempt: (triesBefore: number) => Promise<T>, retries?: number): Promise<T>;
  /** Converts a failure while a response body is read to the error that the caller should throw. */
  readFailure(error: unknown, url: URL): unknown;
  close(): void;
}

/** The {@link RegistryOptions}, with additions for one server. */
export interface ClientOptions extends RegistryOptions {
  /** Forbids plain HTTP, even to servers on this machine. */
  readonly httpsOnly?: boolean;
  /** True if the server is a mirror of another registry. If the mirror fails, the other registry can be asked instead. */
  readonly isMirror?: boolean;
  /** Returns credentials that are used instead of those in files and helpers. Called once, when the registry first requires credentials. */
  readonly credentials?: () => FoundCredentials;
}

/** Maximum number of redirects of one request. Browsers have a similar limit; registries need one or two. */
const mostRedirects = 10;

/**
 * Connects to the registry of a reference. The caller must close the client.
 * @param verb operation for error messages: `push` or `pull`
 * @throws OpSdkError for errors in {@link RegistryOptions} and in the first answer of the registry; the signal's reason
 */
export async function connectRegistry(
  reference: ImageReference,
  verb: string,
  options: ClientOptions,
): Promise<RegistryClient> {
  const timing = { ...defaultTiming, ...options.timing };
  const ca = await loadAuthorities(options.caFile, options.env);
  const { connectTimeout, idleTimeout } = timing;
  const wire = createWire({ env: options.env, ca, connectTimeout, idleTimeout });
  const client = new Client(reference, verb, options, timing, wire);
  try {
    await client.open();
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

class Client implements RegistryClient {
  readonly clock: RegistryClock;
  readonly timing: RegistryTiming;
  readonly firstRetries: number;
  readonly signal: AbortSignal;
  readonly purpose: Purpose;
  readonly #reference: ImageReference;
  readonly #options: ClientOptions;
  readonly #wire: Wire;
  readonly #redactor = createMessageCleaner();
  #origin: URL | undefined;
  #targets: SafeTargets | undefined;
  #authorizer: Authorizer | undefined;

  constructor(
    reference: ImageReference,
    verb: string,
    options: ClientOptions,
    timing: RegistryTiming,
    wire: Wire,
  ) {
    const { registry, repository } = reference;
    this.clock = options.clock ?? registryClock;
    this.timing = timing;
    this.firstRetries = options.isMirror === true ? 0 : timing.retries;
    this.signal = options.signal;
    this.purpose = {
      doing: `${verb} ${repository === '' ? registry : `${registry}/${repository}`}`,
      what: 'the first request',
      registry,
      instead: options.isMirror === true ? [] : (options.instead ?? []),
      isMirror: options.isMirror === true,
    };
    this.#reference = reference;
    this.#options = options;
    this.#wire = wire;
  }

  progress(line: string): void {
    this.#options.onProgress?.(this.#redactor.clean(line));
  }

  close(): void {
    this.#wire.close();
  }

  retry<T>(attempt: (triesBefore: number) => Promise<T>, retries: number = this.timing.retries): Promise<T> {
    const { clock, signal } = this;
    return withRetries(attempt, {
      clock,
      timing: { ...this.timing, retries },
      signal,
      onRetry: (why, milliseconds) => this.progress(`${why}; again in ${(milliseconds / 1000).toFixed(1)} s`),
    });
  }

  request(request: ClientRequest): Promise<ClientResponse> {
    return this.retry(() => this.once(request));
  }

  /**
   * Sends the first request to the registry. The answer shows the address of the API, if the API uses TLS, and the kind of authentication.
   */
  async open(): Promise<void> {
    const { plainHttp = false, httpsOnly = false, skipTlsVerify = false, caFile } = this.#options;
    const origins = registryOrigins(this.#reference.registry, {
      plainHttp,
      insists: httpsOnly || skipTlsVerify || caFile !== undefined,
    });
    await this.retry(async () => {
      for (const [index, origin] of origins.entries()) {
        try {
          return await this.#ping(origin);
        } catch (error) {
          const isLast = index === origins.length - 1;
          // An untrusted certificate never leads to plain HTTP, because otherwise a man in the middle could force the downgrade.
          const noTls = error instanceof WireError && (error.kind === 'not-tls' || error.kind === 'cut');
          if (isLast || !noTls) throw this.#failed(error, origin);
        }
      }
    }, this.firstRetries);
  }

  async #ping(origin: URL): Promise<void> {
    const url = new URL('/v2/', origin);
    const response = await this.#wire.send({
      method: 'GET',
      url,
      headers: { 'user-agent': this.#userAgent },
      signal: this.signal,
      lax: this.#isLax,
    });
    const reach = reachOf(origin.hostname) ?? reachOf(response.remoteAddress ?? '');
    this.#origin = origin;
    this.#targets = safeTargets(origin, reach);
    this.#authorizer = this.#makeAuthorizer(origin, this.#targets);
    // Some registries that work answer 404 to this request, so the next request decides.
    if ([200, 202, 204, 404, 301, 302, 307, 308].includes(response.status)) return response.discard();
    if (response.status !== 401) throw await this.#unwelcome(response, { ...this.purpose, what: 'GET /v2/' });
    response.discard();
    if (this.#authorizer.learn(response.header('www-authenticate'))) return;
    throw new OpSdkError({
      code: 'oci/registry-error',
      message: `cannot ${this.purpose.doing}: ${this.purpose.registry} requires an authentication scheme other than Basic and Bearer`,
      where: { object: this.purpose.registry },
      fix: ['check that a registry listens there'],
    });
  }

  async once(request: ClientRequest): Promise<ClientResponse> {
    const { origin, targets, authorizer } = this.#opened();
    const { method, scopes, expect, what } = request;
    const signal = request.signal ?? this.signal;
    let url = new URL(request.url, origin);
    try {
      let refusals = 0;
      for (let hops = 0; hops <= mostRedirects;) {
        const isOwn = url.origin === origin.origin;
        targets.check(url);
        // A URL of another server may grant access to everyone who has it, and servers quote such URLs in their errors. Therefore hide the
        // values of its query in messages.
        if (!isOwn) for (const value of signedValues(url)) this.#redactor.hideHere(value);
        const authorization = isOwn ? await authorizer.header(scopes, signal) : undefined;
        const response = await this.#send(url, request, authorization, signal);
        const { status } = response;
        if (status === 401 && isOwn && refusals++ < 2) {
          const challenge = response.header('www-authenticate');
          if (await authorizer.refused(challenge, authorization, scopes, signal)) {
            response.discard();
            continue;
          }
        }
        const location = response.header('location');
        const follows =
          [307, 308].includes(status) || ([301, 302, 303].includes(status) && /^(?:GET|HEAD)$/.test(method));
        if (follows && location !== undefined && URL.canParse(location, url.href)) {
          response.discard();
          url = new URL(location, url);
          hops++;
          continue;
        }
        if (expect.includes(status)) return Object.assign(response, { url });
        throw await this.#unwelcome(
          response,
          { ...this.purpose, what, ...(isOwn ? {} : { registry: url.host }) },
          isOwn,
        );
      }
    } catch (error) {
      throw this.#failed(error, url);
    }
    throw new OpSdkError({
      code: 'oci/registry-error',
      message: `cannot ${this.purpose.doing}: more than ${mostRedirects} redirects in a row`,
      where: { object: this.purpose.registry },
    });
  }

  readFailure(error: unknown, url: URL): unknown {
    return this.#failed(error, url);
  }

  #send(
    url: URL,
    { method, headers, body }: ClientRequest,
    authorization: string | undefined,
    signal: AbortSignal,
  ): Promise<WireResponse> {
    const { targets } = this.#opened();
    const allowed = targets.allowed(url);
    const size = body?.size ?? (method === 'GET' || method === 'HEAD' || method === 'DELETE' ? undefined : 0);
    return this.#wire.send({
      method,
      url,
      headers: {
        'user-agent': this.#userAgent,
        ...headers,
        ...(size === undefined ? {} : { 'content-length': String(size) }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      signal,
      lax: this.#isLax && url.hostname === this.#opened().origin.hostname,
      ...(body === undefined ? {} : { body: body.read() }),
      ...(allowed === undefined ? {} : { allowed }),
    });
  }

  async #unwelcome(response: WireResponse, purpose: Purpose, isOwn = true): Promise<Error> {
    const found = this.#authorizer?.found ?? { problems: [] };
    const source = found.secret === undefined ? undefined : found.source;
    const failure = withProblems(
      await failureOf(response, purpose, this.#redactor, source),
      isOwn ? found.problems : [],
    );
    response.discard();
    return isTransientStatus(response.status)
      ? new Transient(failure, parseRetryAfter(response.header('retry-after'), this.clock.now()))
      : failure;
  }

  /** Converts a transport error to findings about the request; returns any other error unchanged. */
  #failed(error: unknown, url: URL): unknown {
    if (!(error instanceof WireError)) return error;
    const failure = failureOfWire(error, url, this.purpose, this.#redactor);
    return isTransientKind(error.kind) ? new Transient(failure) : failure;
  }

  #makeAuthorizer(origin: URL, targets: SafeTargets): Authorizer {
    const { clock, purpose } = this;
    return new Authorizer({
      origin,
      targets,
      clock,
      purpose,
      wire: this.#wire,
      redactor: this.#redactor,
      userAgent: this.#userAgent,
      lax: this.#isLax,
      findCredentials: async () => {
        const found =
          this.#options.credentials?.() ?? (await findCredentials(this.#reference, this.#options));
        for (const problem of found.problems) this.progress(problem);
        return found;
      },
    });
  }

  #opened(): { readonly origin: URL; readonly targets: SafeTargets; readonly authorizer: Authorizer } {
    if (this.#origin === undefined || this.#targets === undefined || this.#authorizer === undefined)
      throw new TypeError('the client was not opened');
    return { origin: this.#origin, targets: this.#targets, authorizer: this.#authorizer };
  }

  get #isLax(): boolean {
    return this.#options.skipTlsVerify === true;
  }

  get #userAgent(): string {
    return this.#options.userAgent ?? 'op-sdk';
  }
}

/** Returns all values in the query of a URL that may be a signature or a key. */
function signedValues(url: URL): readonly string[] {
  return [...url.searchParams].flatMap(([name, value]) => (name === 'digest' ? [] : [value]));
}

/** Adds the problems that occurred during the search for credentials, if missing credentials may have caused the failure. */
function withProblems(failure: OpSdkError, problems: readonly string[]): OpSdkError {
  const [finding] = failure.findings;
  const concerns = ['oci/authentication-required', 'oci/denied', 'oci/not-found'].includes(finding.code);
  if (!concerns || problems.length === 0) return failure;
  return new OpSdkError({ ...finding, message: `${finding.message}\n${problems.join('\n')}` });
}

/** Returns true if a retry may help after this kind of failure, in which the server sent no answer or broke the connection. */
function isTransientKind(kind: WireErrorKind): boolean {
  return kind === 'cut' || kind === 'silent';
}
