import { OpSdkError } from '../../../base/errors/index.ts';
import { describeRequest } from './transport-error.ts';
import type { HeaderValues, TransportRequest } from './transport.ts';

/** Bytes of a request that are written to the socket in one call: the head and, if the request has one, the body. */
export interface RequestBytes {
  readonly data: string | Buffer;
  /** Encoding of `data` if it is a string. */
  readonly encoding: 'latin1' | 'utf8';
}

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const target = /^\/[!-~]*$/;
const headerValue = /^[\t -~\x80-\xff]*$/;

/** Headers that determine the length of the message or the use of the connection. Only the transport sets these headers. */
const reserved = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Serializes HTTP/1.1 requests for one server. */
export class RequestWriter {
  readonly #host: string;
  readonly #basePath: string;
  /** Serialized headers for each headers object. Serializing once suffices, because a connection sends the same object repeatedly. */
  readonly #blocks = new WeakMap<HeaderValues, string>();

  constructor(server: URL) {
    this.#host = server.host;
    this.#basePath = server.pathname.replace(/\/$/, '');
  }

  /** Serializes a request. @throws OpSdkError `kube/invalid-request` for a method, path or header that could terminate its line early */
  write(request: TransportRequest): RequestBytes {
    const { method, body, headers } = request;
    const path = this.#basePath + request.path;
    if (!token.test(method)) throw invalid(request, `expected a method, got ${JSON.stringify(method)}`);
    if (!target.test(path))
      throw invalid(
        request,
        `expected a percent-encoded path that begins with /, got ${JSON.stringify(path)}`,
      );
    const length = body === undefined ? undefined : Buffer.byteLength(body);
    const lengthLine =
      length === undefined
        ? method === 'GET' || method === 'HEAD' || method === 'DELETE'
          ? ''
          : 'content-length: 0\r\n'
        : `content-length: ${length}\r\n`;
    const block = headers === undefined ? '' : this.#block(request, headers);
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${block}${lengthLine}\r\n`;
    if (body === undefined) return { data: head, encoding: 'latin1' };
    if (typeof body === 'string') {
      // If the number of bytes equals the number of characters, the body is ASCII, which needs no conversion.
      if (length === body.length) return { data: head + body, encoding: 'latin1' };
      if (isAscii(head)) return { data: head + body, encoding: 'utf8' };
    }
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    return { data: Buffer.concat([Buffer.from(head, 'latin1'), bytes]), encoding: 'latin1' };
  }

  #block(request: TransportRequest, headers: HeaderValues): string {
    const known = this.#blocks.get(headers);
    if (known !== undefined) return known;
    let block = '';
    for (const [name, values] of Object.entries(headers)) {
      if (!token.test(name) || reserved.has(name.toLowerCase()))
        throw invalid(
          request,
          `header ${JSON.stringify(name)}: the name is invalid or not the caller's to set`,
        );
      for (const value of typeof values === 'string' ? [values] : values) {
        // The error message omits the header value, because the value may be a secret.
        if (!headerValue.test(value))
          throw invalid(
            request,
            `header ${name}: expected a value without line ends, control or non-Latin-1 characters`,
          );
        block += `${name}: ${value}\r\n`;
      }
    }
    this.#blocks.set(headers, block);
    return block;
  }
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function invalid(request: TransportRequest, message: string): OpSdkError {
  return new OpSdkError({ code: 'kube/invalid-request', message: `${describeRequest(request)}: ${message}` });
}
