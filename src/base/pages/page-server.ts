import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonMap, type JsonMap } from '../util/json-map.ts';

/** A request whose address contains the right token. */
export interface PageRequest {
  /** Path after the token, without the leading slash: `''` for the page itself, `page.css` for a file beside it. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** An answer to a request; undefined means status 404. */
export type PageAnswer =
  | { readonly type: string; readonly body: string | Uint8Array }
  /** Server-sent events. Is called once the stream is open; what it returns, when it is closed. */
  | { readonly stream: (stream: EventStream) => () => void };

/** Changes something as the page asks. Returns the status of the answer, which has no body. */
export type PageAction = (body: JsonMap) => number | Promise<number>;

export interface PageServerOptions {
  /** Answers a GET or HEAD request. If it throws, the server answers with status 500, without details. */
  readonly answer: (request: PageRequest) => PageAnswer | undefined | Promise<PageAnswer | undefined>;
  /**
   * Actions by their path. They are called with the JSON object of a POST request, and only if the page itself sent it. If an action throws,
   * the server answers with status 500, without details. Default: none.
   */
  readonly actions?: ReadonlyMap<string, PageAction>;
}

/**
 * Serves pages on 127.0.0.1, on a free port. Answers with status 403, without details, to two kinds of requests: requests without the token
 * of the address, such as those of other users of the machine, and requests of other sites in the browser, recognised by Host (DNS
 * rebinding) and Origin. Changes something only by POST requests of the page itself, with a small JSON object.
 */
export class PageServer {
  readonly #options: PageServerOptions;
  readonly #server: Server;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #streams = new Set<EventStream>();

  private constructor(options: PageServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Starts a server. The caller must `close` it. */
  static async open(options: PageServerOptions): Promise<PageServer> {
    const pages = new PageServer(options);
    await new Promise<void>((resolve, reject) => {
      pages.#server.once('error', reject);
      pages.#server.listen(0, '127.0.0.1', resolve);
    });
    return pages;
  }

  /** The address of the page, including the token. Show it only to the user. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/${this.#token}/`;
  }

  /** Ends all streams and connections. */
  async close(): Promise<void> {
    for (const stream of this.#streams) stream.end();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    const asked = this.#admitted(request);
    if (asked === undefined) return refuse(response, 403);
    const action = this.#options.actions?.get(asked.path);
    const allowed = action === undefined ? ['GET', 'HEAD'] : ['POST'];
    if (!allowed.includes(request.method ?? '')) {
      response.setHeader('allow', allowed.join(', '));
      return refuse(response, 405);
    }
    if (action !== undefined) return refuse(response, await statusOf(request, action));
    let answer: PageAnswer | undefined;
    try {
      answer = await this.#options.answer(asked);
    } catch {
      return refuse(response, 500);
    }
    if (answer === undefined) return refuse(response, 404);
    if ('stream' in answer) return this.#open(response, answer.stream);
    response.setHeader('content-type', answer.type);
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  }

  #open(response: ServerResponse, begin: (stream: EventStream) => () => void): void {
    const stream = new EventStream(response);
    this.#streams.add(stream);
    const end = begin(stream);
    response.once('close', () => {
      this.#streams.delete(stream);
      end();
    });
  }

  /**
   * Returns the request if it comes from the page itself or, unless it may change something, from the address bar; otherwise undefined.
   * Browsers send an Origin with each POST request, so one without it does not come from the page.
   */
  #admitted({ headers, method, url = '' }: IncomingMessage): PageRequest | undefined {
    const reads = method === 'GET' || method === 'HEAD';
    const hosts = [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`];
    const { host = '', origin } = headers;
    if (!hosts.includes(host)) return undefined;
    if (origin === undefined ? !reads : origin !== `http://${host}`) return undefined;
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && !(reads && site === 'none')) return undefined;
    if (!url.startsWith('/')) return undefined;
    const [path = '', query = ''] = splitAt(url.slice(1), '?');
    const [token = '', rest] = splitAt(path, '/');
    if (rest === undefined || !isSame(token, this.#token)) return undefined;
    return { path: rest, query: new URLSearchParams(query) };
  }
}

/** Maximum length in bytes of the body of a POST request. */
const mostBody = 4096;

/** Reads the body of a POST request and runs its action. @returns the status of the answer */
async function statusOf(request: IncomingMessage, action: PageAction): Promise<number> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') return 415;
  if (Number(request.headers['content-length'] ?? 0) > mostBody) return 413;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // A request that is destroyed here would take the connection with it, and the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBody) return 413;
      chunks.push(chunk);
    }
    const body = parsed(Buffer.concat(chunks).toString('utf8'));
    return body === undefined ? 400 : await action(body);
  } catch {
    return 500;
  }
}

function parsed(text: string): JsonMap | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Answers with a status alone, and closes the connection if the request has not been read to its end. */
function refuse(response: ServerResponse, status: number): void {
  response.statusCode = status;
  if (!response.req.complete) response.setHeader('connection', 'close');
  response.setHeader('content-type', 'text/plain');
  response.end(`${status}\n`);
}

/** Compares two texts. For texts of equal length the time is constant, so that the duration reveals nothing about the token. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function splitAt(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Headers of every answer. They make the browser load nothing from other servers, run only script files of this server, refuse to show the
 * page in a frame, and send the address, which contains the token, to nobody. Source: W3C CSP 3, Fetch.
 */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Maximum number of unsent bytes for one browser. A browser that falls further behind is disconnected; it reconnects automatically and
 * begins with the current state.
 */
const mostBehind = 16 * 1024 * 1024;

/** A stream of server-sent events to one page. Source: WHATWG HTML, section Server-sent events. */
export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.setHeader('content-type', 'text/event-stream');
    // Browsers try again after this many milliseconds.
    response.write('retry: 1000\n\n');
  }

  /** Sends a value as JSON, in an event of the type `message`. */
  send(value: unknown): void {
    if (this.#response.writableEnded) return;
    // JSON contains no line breaks outside of strings, and escapes line breaks in strings, so the text is a single line.
    this.#response.write(`data: ${JSON.stringify(value)}\n\n`);
    if (this.#response.writableLength > mostBehind) this.#response.destroy();
  }

  end(): void {
    this.#response.end();
  }
}

/** A file of a page, with its content type. */
export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array;
}

const root = fileURLToPath(new URL('../../../pages/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Returns the files of a page by their path; the path of `index.html` is `''`. */
export async function pageFiles(page: 'live'): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const name of await readdir(join(root, page)))
    files.set(name === 'index.html' ? '' : name, {
      type: types[extname(name)] ?? 'application/octet-stream',
      body: await readFile(join(root, page, name)),
    });
  return files;
}
