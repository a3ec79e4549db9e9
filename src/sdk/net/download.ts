import { createWire, type Wire } from './wire.ts';
import { WireError } from './wire-error.ts';

/** Error of a failed download. The message contains no secrets and is phrased as the end of a sentence. */
export class DownloadError extends Error {
  /** The HTTP status of the response that ended the download; undefined without a response. */
  readonly status: number | undefined;

  constructor(message: string, options: { readonly cause?: unknown; readonly status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

export interface DownloadOptions {
  /** Environment variables from which the proxies are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Maximum time until the connection is established, including TLS, in milliseconds. */
  readonly connectTimeout: number;
  /** Maximum time without receiving a byte, in milliseconds. */
  readonly idleTimeout: number;
  /** Called with the URL and with each redirect target; if it throws, the download fails with that error. */
  readonly check?: (url: URL) => void;
}

const mostRedirects = 5;

/**
 * Downloads a file by HTTP(S), through the proxies of the environment. Follows up to 5 redirects.
 *
 * @throws DownloadError; the errors of `check`; the signal's reason
 */
export async function* download(source: URL, options: DownloadOptions): AsyncGenerator<Uint8Array> {
  const { env, connectTimeout, idleTimeout, signal } = options;
  const wire = createWire({ env, ca: undefined, connectTimeout, idleTimeout });
  try {
    yield* follow(wire, source, options);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WireError) throw new DownloadError(error.message, { cause: error });
    throw error;
  } finally {
    wire.close();
  }
}

async function* follow(
  wire: Wire,
  source: URL,
  { signal, userAgent, check }: DownloadOptions,
): AsyncGenerator<Uint8Array> {
  const headers = { accept: '*/*', 'user-agent': userAgent };
  let url = source;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    check?.(url);
    const response = await wire.send({ method: 'GET', url, headers, signal });
    const { status } = response;
    const location = response.header('location');
    if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url.href)) {
      response.discard();
      url = new URL(location, url);
      continue;
    }
    if (status !== 200) {
      response.discard();
      throw new DownloadError(`the server answers with HTTP status ${status}`, { status });
    }
    try {
      yield* response.body;
    } finally {
      response.discard();
    }
    return;
  }
  throw new DownloadError('the server sends too many redirects in a row');
}
