import { send, textOf } from '../http.ts';
import { tokenAssertion, type GcsCredentials } from './gcs-credentials.ts';
import { callStore, type StoreCallOptions } from './store-calls.ts';
import { isRetryableStatus, StoreError } from './store-error.ts';

/** Milliseconds before the end of a token at which a new one is asked for. */
const renewBeforeMs = 300_000;

/** Gives the token of each request, and asks for a new one before it ends. */
export class GcsTokens {
  readonly #credentials: GcsCredentials;
  readonly #options: StoreCallOptions;
  #current: { readonly token: string; readonly expires: number } | undefined;

  constructor(credentials: GcsCredentials, options: StoreCallOptions = {}) {
    this.#credentials = credentials;
    this.#options = options;
  }

  /** @throws StoreError with the server's own error, such as `invalid_grant: Invalid JWT Signature.` */
  async token(signal: AbortSignal): Promise<string> {
    if ('token' in this.#credentials) return this.#credentials.token;
    if (this.#current === undefined || this.#current.expires - renewBeforeMs < Date.now())
      this.#current = await this.#ask(signal);
    return this.#current.token;
  }

  /** Drops a token that was refused. Returns false if there was none. */
  drop(): boolean {
    const hadOne = this.#current !== undefined;
    this.#current = undefined;
    return hadOne;
  }

  #ask(signal: AbortSignal): Promise<{ readonly token: string; readonly expires: number }> {
    if ('token' in this.#credentials) throw new Error('a given token is not renewed');
    const { account } = this.#credentials;
    const { host } = new URL(account.tokenUri);
    const what = `get a token for ${account.email}`;
    return callStore(
      async () => {
        const now = Date.now();
        const body = new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion: tokenAssertion(account, now),
        }).toString();
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        };
        const call = { method: 'POST', url: account.tokenUri, headers, body, idleMs: this.#options.idleMs };
        const response = await send(call, signal);
        const status = response.statusCode ?? 0;
        const answer = parse(await textOf(response));
        const { access_token: token, expires_in: seconds } = answer;
        if (status === 200 && typeof token === 'string' && token !== '')
          return { token, expires: now + (typeof seconds === 'number' ? seconds : 3600) * 1000 };
        const said = [answer.error, answer.error_description]
          .filter((part) => typeof part === 'string')
          .join(': ');
        const text = `${what} from ${host}: expected a token, got ${status}${said === '' ? '' : ` ${said}`}`;
        const reason = status >= 400 && status < 500 ? 'AccessDenied' : 'StoreFailed';
        throw new StoreError(reason, text, { retryable: isRetryableStatus(status) });
      },
      { what, host, delays: this.#options.delays, signal },
    );
  }
}

interface TokenAnswer {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

function parse(text: string): TokenAnswer {
  try {
    return (JSON.parse(text) ?? {}) as TokenAnswer;
  } catch {
    return {};
  }
}
