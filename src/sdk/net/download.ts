import { createWire, type Wire } from './wire.ts';
import { WireError } from './wire-error.ts';

/** Why a download failed, without secrets: the end of a sentence. */
export class DownloadError extends Error {
  /** The HTTP status of the answer that ended it; undefined if there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, options: { readonly cause?: unknown; readonly status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

export interface DownloadOptions {
  /** Where proxies are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Milliseconds until a connection is there, TLS included. */
  readonly connectTimeout: number;
  /** Milliseconds without a byte. */
  readonly idleTimeout: number;
  /** Called with the URL and with each that it redirects to; throws what the download is to end with. */
  readonly check?: (url: URL) => void;
}

const mostRedirects = 5;

/**
 * The bytes of a file by HTTP(S), through the proxies of the environment, wherever redirects lead.
 *
 * @throws DownloadError; what `check` throws; the signal's reason
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
  throw new DownloadError('it redirects without end');
}
