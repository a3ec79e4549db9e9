import { OpSdkError } from '../../base/errors/index.ts';
import type { FoundCredentials, Secret } from './credentials/auth-file.ts';
import {
  failureOfStatus,
  isTransientStatus,
  loginCommand,
  Transient,
  type Purpose,
  readStart,
  type MessageCleaner,
} from './failure.ts';
import { reachOf, parseRetryAfter, type Wire, type WireResponse, WireError } from '../../sdk/net/index.ts';
import type { RegistryClock, SafeTargets } from './options.ts';

interface AuthorizerSettings {
  readonly origin: URL;
  readonly targets: SafeTargets;
  readonly wire: Wire;
  readonly clock: RegistryClock;
  readonly redactor: MessageCleaner;
  readonly purpose: Purpose;
  readonly userAgent: string;
  readonly lax: boolean;
  /** Returns the credentials for the registry. Called once, when the registry first requires credentials. */
  readonly findCredentials: () => Promise<FoundCredentials>;
}

/** A token for one set of rights (scopes), and the state of fetching it. */
interface Grant {
  scopes: readonly string[];
  token?: Token;
  pending?: Promise<Token>;
}

/**
 * Provides the Authorization header for requests to a registry: none, one with a password, or one with a token. Fetches and renews tokens.
 */
export class Authorizer {
  readonly #settings: AuthorizerSettings;
  readonly #grants = new Map<string, Grant>();
  #challenge: Challenge | undefined;
  #credentials: Promise<FoundCredentials> | undefined;
  #found: FoundCredentials = { problems: [] };

  constructor(settings: AuthorizerSettings) {
    this.#settings = settings;
  }

  /** The credentials that were found, which are set only after the registry has required credentials. */
  get found(): FoundCredentials {
    return this.#found;
  }

  /**
   * Remembers how the registry wants to authenticate clients, preferring Bearer to Basic. Returns false if the header offers neither of
   * these schemes.
   */
  learn(header: string | undefined): boolean {
    const challenges = parseChallenges(header ?? '');
    const bearer = challenges.find(
      ({ scheme, parameters }) => scheme === 'bearer' && parameters['realm'] !== undefined,
    );
    const chosen = bearer ?? challenges.find(({ scheme }) => scheme === 'basic');
    if (chosen === undefined) return false;
    this.#challenge = chosen;
    return true;
  }

  /**
   * Returns the Authorization header for requests to the registry, not to other servers. Returns undefined if the registry has not required
   * credentials yet, or if no credentials exist.
   * @param scopes rights that the request needs
   * @throws OpSdkError, WireError, Transient when a token cannot be obtained; the signal's reason
   */
  async header(scopes: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    if (this.#challenge === undefined) return undefined;
    const { secret } = await this.#findCredentials();
    if (this.#challenge.scheme === 'basic')
      return secret?.kind === 'password' ? this.#basic(secret) : undefined;
    if (secret?.kind === 'registry-token') return `Bearer ${secret.token}`;
    const grant = this.#grantFor(scopes);
    if (grant.token === undefined || grant.token.renewAt <= this.#settings.clock.now()) {
      grant.pending ??= this.#fetchToken(grant.scopes, secret, signal).finally(() => {
        delete grant.pending;
      });
      grant.token = await grant.pending;
    }
    return `Bearer ${grant.token.value}`;
  }

  /**
   * Handles a response with status 401.
   * @param used Authorization header of the refused request
   * @returns true if the request should be repeated with another header
   */
  async refused(
    challengeHeader: string | undefined,
    used: string | undefined,
    scopes: readonly string[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!this.learn(challengeHeader)) return false;
    if (this.#challenge?.scheme === 'bearer') {
      const grant = this.#grantFor(scopes);
      const asked = (this.#challenge.parameters['scope'] ?? '').split(' ').filter((scope) => scope !== '');
      const wider = joinScopes(grant.scopes, asked);
      const isWider = wider.join(' ') !== grant.scopes.join(' ');
      grant.scopes = wider;
      // Delete the stored token only if it is the refused one, because a concurrent request may have obtained a new token in the meantime.
      if (isWider || (grant.token !== undefined && used === `Bearer ${grant.token.value}`))
        delete grant.token;
    }
    return (await this.header(scopes, signal)) !== used;
  }

  #grantFor(scopes: readonly string[]): Grant {
    const joined = joinScopes(scopes);
    const key = joined.join(' ');
    const known = this.#grants.get(key) ?? { scopes: joined };
    this.#grants.set(key, known);
    return known;
  }

  async #findCredentials(): Promise<FoundCredentials> {
    this.#credentials ??= this.#settings.findCredentials();
    this.#found = await this.#credentials;
    const { secret } = this.#found;
    if (secret?.kind === 'password') this.#settings.redactor.hide(secret.password);
    else if (secret !== undefined) this.#settings.redactor.hide(secret.token);
    return this.#found;
  }

  #basic({ username, password }: Extract<Secret, { kind: 'password' }>): string {
    const encoded = Buffer.from(`${username}:${password}`).toString('base64');
    this.#settings.redactor.hide(encoded);
    return `Basic ${encoded}`;
  }

  async #fetchToken(
    scopes: readonly string[],
    secret: Secret | undefined,
    signal: AbortSignal,
  ): Promise<Token> {
    const parameters = this.#challenge?.parameters ?? {};
    const realm = this.#checkedRealm(parameters['realm'] ?? '', secret !== undefined);
    const service = parameters['service'];
    const response =
      secret?.kind === 'identity-token'
        ? await this.#exchange(realm, service, scopes, secret.token, signal)
        : await this.#ask(realm, service, scopes, secret, signal);
    const body = (await readStart(response)).toString('utf8');
    const { clock, redactor } = this.#settings;
    if (response.status !== 200) throw this.#tokenFailure(response, body, realm, secret);
    const token = parseToken(body, clock.now());
    if (token === undefined) throw this.#odd(realm, 'its answer holds no token');
    redactor.hide(token.value);
    return token;
  }

  /** Requests a token with the first version of the token protocol. Source: distribution, docs/spec/auth/token.md. */
  async #ask(
    realm: URL,
    service: string | undefined,
    scopes: readonly string[],
    secret: Secret | undefined,
    signal: AbortSignal,
  ): Promise<WireResponse> {
    const url = new URL(realm);
    if (service !== undefined) url.searchParams.set('service', service);
    for (const scope of scopes) url.searchParams.append('scope', scope);
    if (secret?.kind === 'password') url.searchParams.set('account', secret.username);
    const authorization = secret?.kind === 'password' ? { authorization: this.#basic(secret) } : {};
    const response = await this.#send('GET', url, authorization, undefined, signal);
    const location = response.header('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return response;
    response.discard();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    // Credentials that are sent to this server must not reach another server by a redirect.
    if (next?.hostname !== url.hostname || (next.origin !== url.origin && next.protocol !== 'https:'))
      throw this.#odd(realm, 'it sends us on to another server');
    return this.#send('GET', next, authorization, undefined, signal);
  }

  /** Requests a token with OAuth 2. Source: distribution, docs/spec/auth/oauth.md. */
  async #exchange(
    realm: URL,
    service: string | undefined,
    scopes: readonly string[],
    refreshToken: string,
    signal: AbortSignal,
  ): Promise<WireResponse> {
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'op-sdk',
      refresh_token: refreshToken,
    });
    if (service !== undefined) form.set('service', service);
    if (scopes.length > 0) form.set('scope', scopes.join(' '));
    const bytes = Buffer.from(form.toString());
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(bytes.length),
    };
    return this.#send('POST', realm, headers, bytes, signal);
  }

  #send(
    method: string,
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<WireResponse> {
    const { wire, targets, userAgent, lax, origin } = this.#settings;
    const allowed = targets.allowed(url);
    return wire.send({
      method,
      url,
      headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      signal,
      lax: lax && url.hostname === origin.hostname,
      ...(body === undefined ? {} : { body: once(body) }),
      ...(allowed === undefined ? {} : { allowed }),
    });
  }

  #checkedRealm(realm: string, hasSecret: boolean): URL {
    if (!URL.canParse(realm))
      throw this.#odd(this.#settings.origin, 'the address of its token server is not a URL');
    const url = new URL(realm);
    url.username = '';
    url.password = '';
    this.#settings.targets.check(url);
    // The user allowed plain HTTP for the registry, but not for every token server that the registry names.
    if (hasSecret && url.protocol === 'http:' && reachOf(url.hostname) !== 'loopback')
      throw new WireError(
        'unsafe-address',
        `it asks for credentials over http://${url.host}, where others can read them`,
      );
    return url;
  }

  #tokenFailure(response: WireResponse, body: string, realm: URL, secret: Secret | undefined): Error {
    const { purpose, redactor, clock } = this.#settings;
    const { status } = response;
    const isWrong = secret !== undefined && [400, 401, 403].includes(status);
    const failure = failureOfStatus(
      isWrong ? 401 : status,
      body,
      { ...purpose, what: `the request for a token (${realm.host})` },
      redactor,
      secret === undefined ? undefined : this.#found.source,
    );
    return isTransientStatus(status)
      ? new Transient(failure, parseRetryAfter(response.header('retry-after'), clock.now()))
      : failure;
  }

  #odd(realm: URL, why: string): OpSdkError {
    const { purpose } = this.#settings;
    return new OpSdkError({
      code: 'oci/registry-error',
      message: `cannot ${purpose.doing}: the token server ${realm.host}: ${why}`,
      where: { object: purpose.registry },
      fix: [`compare with what another client says: ${loginCommand(purpose.registry)}`],
    });
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** An authentication method that a server offers in the header WWW-Authenticate. */
interface Challenge {
  /** The scheme's name in lower case: `bearer`, `basic`. */
  readonly scheme: string;
  /** The parameters of the method, with names in lower case. If a name is repeated, its first value is used. */
  readonly parameters: Readonly<Record<string, string>>;
}

const tokenForm = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const token68Form = /[A-Za-z0-9\-._~+/]+=*(?=\s*(?:,|$))/y;
const quotedForm = /"((?:[^"\\]|\\[\s\S])*)"/y;
const separatorForm = /[\s,]*/y;
const spaceForm = /[ \t]*/y;
const equalsForm = /[ \t]*=[ \t]*/y;

/**
 * Parses the header WWW-Authenticate. It holds several challenges, each with parameters whose quoted values may contain commas. Parsing
 * ends at the first part that cannot be read; the challenges before this part are returned.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-11.6.1
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  let position = 0;
  const take = (form: RegExp): RegExpExecArray | undefined => {
    form.lastIndex = position;
    const match = form.exec(header) ?? undefined;
    if (match !== undefined) position = form.lastIndex;
    return match;
  };
  for (;;) {
    take(separatorForm);
    const name = take(tokenForm)?.[0];
    if (name === undefined) return challenges;
    const current = challenges.at(-1);
    const afterName = position;
    // `name =` is a parameter of the current challenge; a name alone begins a new challenge.
    if (current !== undefined && take(equalsForm) !== undefined) {
      const quoted = take(quotedForm)?.[1];
      const value = quoted?.replace(/\\([\s\S])/g, '$1') ?? take(tokenForm)?.[0];
      if (value === undefined) return challenges;
      const key = name.toLowerCase();
      if (!Object.hasOwn(current.parameters, key))
        Object.defineProperty(current.parameters, key, { value, enumerable: true });
      continue;
    }
    position = afterName;
    challenges.push({ scheme: name.toLowerCase(), parameters: {} });
    if (take(spaceForm)?.[0] !== '') take(token68Form);
  }
}

/** A token that a token server has issued. */
interface Token {
  readonly value: string;
  /** Time in milliseconds since 1970. From this time on, a new token is requested instead of using this one. */
  readonly renewAt: number;
}

/** Lifetime in seconds of a token if the answer of the token server contains no lifetime. Source: distribution, docs/spec/auth/token.md. */
const defaultLifetime = 60;

/**
 * Parses the answer of a token server. The lifetime of the token is counted from `now` and not from the time of the server, because clocks
 * differ.
 * @param now current time in milliseconds since 1970
 * @returns undefined if the answer holds no token that is valid in a header
 */
export function parseToken(body: string, now: number): Token | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return undefined;
  }
  const {
    token,
    access_token: accessToken,
    expires_in: expiresIn,
  } = (answer ?? {}) as Partial<Record<string, unknown>>;
  const value = [token, accessToken].find((each): each is string => typeof each === 'string' && each !== '');
  if (value === undefined || !/^[\x21-\x7e]+$/.test(value)) return undefined;
  const lifetime = typeof expiresIn === 'number' && expiresIn > 0 ? expiresIn : defaultLifetime;
  // The token is renewed after nine tenths of its lifetime (in seconds), so that it does not expire while a request is on its way.
  return { value, renewAt: now + lifetime * 900 };
}

/**
 * Merges lists of scopes. Joins the actions on the same resource: `repository:a/b:pull` and `repository:a/b:push` become
 * `repository:a/b:pull,push`.
 */
export function joinScopes(...lists: readonly (readonly string[])[]): readonly string[] {
  const actions = new Map<string, Set<string>>();
  for (const scope of lists.flat()) {
    const colon = scope.lastIndexOf(':');
    const resource = scope.slice(0, Math.max(colon, 0));
    const known = actions.get(resource) ?? new Set();
    for (const action of scope.slice(colon + 1).split(',')) if (action !== '') known.add(action);
    actions.set(resource, known);
  }
  return [...actions].map(([resource, set]) => `${resource}:${[...set].sort().join(',')}`).sort();
}
