import type { ResponseHead } from './transport.ts';

/** Receiver of the parts of a response that a {@link ResponseReader} reads. */
export interface ResponseSink {
  head(head: ResponseHead): void;
  data(chunk: Buffer): void;
}

/** Error for bytes that are not HTTP/1.1, or that two readers could interpret differently. The message has the form "expected X, got Y". */
export class InvalidResponseError extends Error {}

/**
 * Maximum size of a response head in bytes. Go's server and node:http allow less; response heads of the API server have about 500 bytes.
 */
const maxHead = 64 * 1024;
/** Maximum size in bytes of the line with the size and the extensions of a chunk, and of a line of the trailer. */
const maxLine = 4 * 1024;
/** Maximum number of interim responses before a response: 100 Continue, 103 Early Hints. */
const maxInterim = 16;

const nothing: Buffer = Buffer.alloc(0);
const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');
const protocolName = 'HTTP/1.';

type State = 'head' | 'sized' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'done';

/**
 * Reads the responses of one connection in sequence. Refuses a head with contradictory lengths, bare line feeds, folded lines or control
 * characters, because the bytes after such a head cannot be trusted either. Source: RFC 9112.
 */
export class ResponseReader {
  #sink: ResponseSink | undefined;
  #method = '';
  #state: State = 'done';
  /** The beginning of a head or a line whose end has not arrived yet. */
  #held = nothing;
  #remaining = 0;
  #interim = 0;
  #trailer = 0;
  #keepsAlive = false;

  /** Prepares the reader for the response to a request with the given method. */
  begin(method: string, sink: ResponseSink): void {
    this.#sink = sink;
    this.#method = method;
    this.#state = 'head';
    this.#held = nothing;
    this.#interim = 0;
    this.#trailer = 0;
    this.#keepsAlive = false;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** After the end of a response, true if another response may follow on this connection. */
  get keepsAlive(): boolean {
    return this.#keepsAlive;
  }

  /**
   * Reads a piece of the response.
   * @returns the number of bytes after the end of the response
   * @throws InvalidResponseError
   */
  push(piece: Buffer): number {
    const chunk = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    const scanned = this.#held.length;
    this.#held = nothing;
    let at = 0;
    while (at < chunk.length && this.#state !== 'done') {
      const next = this.#step(chunk, at, at === 0 ? scanned : at);
      if (next === undefined) {
        this.#held = at === 0 ? chunk : chunk.subarray(at);
        return 0;
      }
      at = next;
    }
    return chunk.length - at;
  }

  /** Handles the end of the connection. Returns true if the response ends regularly when the connection ends. */
  end(): boolean {
    if (this.#state !== 'until-close') return this.#state === 'done';
    this.#state = 'done';
    return true;
  }

  /**
   * Reads the element at offset `at`, such as the head. @returns the offset at which to continue, or undefined if the element at `at` is
   * incomplete
   */
  #step(chunk: Buffer, at: number, scanned: number): number | undefined {
    switch (this.#state) {
      case 'head':
        return this.#readHead(chunk, at, scanned);
      case 'sized':
      case 'chunk':
        return this.#readSized(chunk, at);
      case 'until-close':
        this.#sink?.data(at === 0 ? chunk : chunk.subarray(at));
        return chunk.length;
      case 'chunk-size':
      case 'chunk-end':
      case 'trailer':
        return this.#readLine(chunk, at, scanned);
      case 'done':
        return chunk.length;
    }
  }

  #readHead(chunk: Buffer, at: number, scanned: number): number | undefined {
    const end = chunk.indexOf(headEnd, Math.max(at, scanned - 3));
    const size = (end === -1 ? chunk.length : end) - at;
    if (size > maxHead)
      throw new InvalidResponseError(`expected a head of at most ${maxHead} bytes, got more`);
    if (end === -1) {
      this.#refuseEarly(chunk, at, Math.max(at, scanned - 1));
      return undefined;
    }
    const { status, minor, headers } = parseHead(chunk.toString('latin1', at, end));
    const next = end + headEnd.length;
    if (status < 200) {
      // Accepts interim responses, which the server may send without a request. Refuses the status 101, because it would end HTTP.
      this.#interim += 1;
      if (status === 101 || this.#interim > maxInterim)
        throw new InvalidResponseError(`expected an answer, got status ${status}`);
      return next;
    }
    this.#keepsAlive = staysOpen(minor, headers['connection']);
    this.#frame(status, minor, headers);
    this.#sink?.head({ status, headers });
    return next;
  }

  /**
   * Detects a server that uses another protocol or ends its lines differently. Without this check, the error would show only when the
   * request times out.
   */
  #refuseEarly(chunk: Buffer, at: number, from: number): void {
    const begin = chunk.toString('latin1', at, at + protocolName.length);
    if (!protocolName.startsWith(begin)) throw notHttp(begin);
    for (let feed = chunk.indexOf(10, from); feed !== -1; feed = chunk.indexOf(10, feed + 1))
      if (chunk[feed - 1] !== 13)
        throw new InvalidResponseError('expected lines that end with CR LF, got a bare LF');
  }

  #frame(status: number, minor: string, headers: Readonly<Record<string, string>>): void {
    const coding = headers['transfer-encoding'];
    const length = headers['content-length'];
    if (this.#method === 'HEAD' || status === 204 || status === 304) {
      this.#state = 'done';
    } else if (coding !== undefined) {
      if (length !== undefined)
        throw new InvalidResponseError(
          'expected one length of the body, got both Transfer-Encoding and Content-Length',
        );
      if (coding.toLowerCase() !== 'chunked' || minor === '0')
        throw new InvalidResponseError(
          `expected Transfer-Encoding chunked over HTTP/1.1, got ${JSON.stringify(coding)} over HTTP/1.${minor}`,
        );
      this.#state = 'chunk-size';
    } else if (length !== undefined) {
      if (!/^\d{1,15}$/.test(length))
        throw new InvalidResponseError(`expected one Content-Length, got ${JSON.stringify(length)}`);
      this.#remaining = Number(length);
      this.#state = this.#remaining === 0 ? 'done' : 'sized';
    } else {
      this.#keepsAlive = false;
      this.#state = 'until-close';
    }
  }

  #readSized(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#remaining);
    this.#remaining -= end - at;
    if (this.#remaining === 0) this.#state = this.#state === 'sized' ? 'done' : 'chunk-end';
    this.#sink?.data(chunk.subarray(at, end));
    return end;
  }

  #readLine(chunk: Buffer, at: number, scanned: number): number | undefined {
    const end = chunk.indexOf(lineEnd, Math.max(at, scanned - 1));
    const size = (end === -1 ? chunk.length : end) - at;
    if (size > maxLine)
      throw new InvalidResponseError(`expected a line of at most ${maxLine} bytes, got more`);
    if (end === -1) {
      if (this.#state === 'chunk-end' && chunk.length - at >= lineEnd.length) throw chunkWithoutEnd();
      return undefined;
    }
    const line = chunk.toString('latin1', at, end);
    if (this.#state === 'chunk-size') this.#startChunk(line);
    else if (this.#state === 'chunk-end') {
      if (line !== '') throw chunkWithoutEnd();
      this.#state = 'chunk-size';
    } else if (line === '') this.#state = 'done';
    else {
      this.#trailer += line.length;
      if (this.#trailer > maxHead)
        throw new InvalidResponseError(`expected a trailer of at most ${maxHead} bytes, got more`);
      // The transport requests no trailers, but the lines of a trailer must still be valid header lines.
      splitHeader(line);
    }
    return end + lineEnd.length;
  }

  #startChunk(line: string): void {
    const size = /^([\da-f]{1,12})(?:[\t ]*;[\t -~\x80-\xff]*)?$/i.exec(line)?.[1];
    if (size === undefined)
      throw new InvalidResponseError(`expected the size of a chunk, got ${quoted(line)}`);
    this.#remaining = Number.parseInt(size, 16);
    this.#state = this.#remaining === 0 ? 'trailer' : 'chunk';
  }
}

interface ParsedHead extends ResponseHead {
  /** Minor version of HTTP; `0` for HTTP/1.0. */
  readonly minor: string;
}

function parseHead(text: string): ParsedHead {
  let end = lineEndOf(text, 0);
  const first = text.slice(0, end);
  const match = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t -~\x80-\xff]*)?$/.exec(first);
  if (match === null) throw notHttp(first);
  const headers: Record<string, string> = {};
  while (end < text.length) {
    const start = end + lineEnd.length;
    end = lineEndOf(text, start);
    const { name, value } = splitHeader(text.slice(start, end));
    const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = known === undefined ? value : `${known}, ${value}`;
  }
  return { status: Number(match[2]), minor: match[1] ?? '', headers };
}

function lineEndOf(text: string, from: number): number {
  const end = text.indexOf('\r\n', from);
  return end === -1 ? text.length : end;
}

/**
 * A header line without a space before the colon, without continuation lines, and without control characters, including a lone CR or LF.
 */
const headerLine = /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\t -~\x80-\xff]*)$/;

function splitHeader(line: string): { readonly name: string; readonly value: string } {
  const [, name, value] = headerLine.exec(line) ?? [];
  // The error message omits the header line, because the line may contain a secret.
  if (name === undefined || value === undefined)
    throw new InvalidResponseError('expected a line "name: value" in the head, got another');
  return { name: name.toLowerCase(), value: value.trimEnd() };
}

/** Returns true if the connection remains open after the response. Source: RFC 9112, section 9.3. */
function staysOpen(minor: string, connection: string | undefined): boolean {
  if (connection === undefined) return minor === '1';
  const options = connection.toLowerCase().split(/[\t ,]+/);
  return !options.includes('close') && (minor === '1' || options.includes('keep-alive'));
}

function notHttp(text: string): InvalidResponseError {
  return new InvalidResponseError(`expected a status line of HTTP/1.1, got ${quoted(text)}`);
}

function chunkWithoutEnd(): InvalidResponseError {
  return new InvalidResponseError('expected CR LF after a chunk, got more bytes');
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
