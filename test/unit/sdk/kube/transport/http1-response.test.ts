import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  InvalidResponseError,
  ResponseReader,
} from '../../../../../src/sdk/kube/transport/http1-response.ts';
import { runs } from '../../../../helpers/thorough.ts';

interface Read {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isDone: boolean;
  readonly keepsAlive: boolean;
  readonly excess: number;
}

/** The answer that the pieces are, as the reader understands it; `eof`: the connection ends after them. */
function read(pieces: readonly Buffer[], method = 'GET', eof = false): Read {
  const reader = new ResponseReader();
  let head: { status: number; headers: Readonly<Record<string, string>> } | undefined;
  const body: Buffer[] = [];
  let heads = 0;
  reader.begin(method, {
    head: (each) => {
      heads += 1;
      head = each;
    },
    // Copied: the reader gives parts of its pieces.
    data: (chunk) => body.push(Buffer.from(chunk)),
  });
  let excess = 0;
  for (const piece of pieces) excess += reader.isDone ? piece.length : reader.push(piece);
  const isDone = eof ? reader.end() : reader.isDone;
  expect(heads).toBeLessThanOrEqual(1);
  return {
    status: head?.status ?? 0,
    headers: head?.headers ?? {},
    body: Buffer.concat(body).toString('latin1'),
    isDone,
    keepsAlive: reader.keepsAlive,
    excess,
  };
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const readText = (text: string, method?: string, eof?: boolean): Read => read([bytes(text)], method, eof);
const everyByte = (text: string): Buffer[] => [...bytes(text)].map((byte) => Buffer.from([byte]));

describe('a valid answer', () => {
  test.each<[string, string, Partial<Read>]>([
    [
      'a length',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A:  b \t\r\n\r\n{}',
      { status: 200, headers: { 'content-length': '2', 'x-a': 'b' }, body: '{}', keepsAlive: true },
    ],
    ['no reason', 'HTTP/1.1 404\r\ncontent-length: 0\r\n\r\n', { status: 404, body: '', keepsAlive: true }],
    [
      'repeated headers',
      'HTTP/1.1 200 OK\r\nwarning: 299 - "a"\r\nWarning: 299 - "b"\r\ncontent-length: 0\r\n\r\n',
      { headers: { warning: '299 - "a", 299 - "b"', 'content-length': '0' } },
    ],
    [
      'headers named like members of objects',
      'HTTP/1.1 200 OK\r\nconstructor: a\r\ntoString: b\r\ncontent-length: 0\r\n\r\n',
      { headers: { constructor: 'a', tostring: 'b', 'content-length': '0' } },
    ],
    [
      'chunks with extensions and a trailer',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3;a=b\r\nabc\r\nA ; c\r\n0123456789\r\n0\r\nx-sum: 1\r\n\r\n',
      { body: 'abc0123456789', keepsAlive: true },
    ],
    [
      '100 Continue before it',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 1\r\n\r\nx',
      { status: 201, headers: { 'content-length': '1' }, body: 'x', keepsAlive: true },
    ],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '', keepsAlive: true }],
    [
      '304 with the length of what it stands for',
      'HTTP/1.1 304 Not Modified\r\ncontent-length: 10\r\n\r\n',
      { status: 304, body: '', keepsAlive: true },
    ],
    [
      'connection: close',
      'HTTP/1.1 200 OK\r\nconnection: foo, Close\r\ncontent-length: 1\r\n\r\nx',
      { body: 'x', keepsAlive: false },
    ],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\nx', { body: 'x', keepsAlive: false }],
    [
      'HTTP/1.0 with keep-alive',
      'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\nx',
      { body: 'x', keepsAlive: true },
    ],
  ])('is read, whole and byte by byte: %s', (_name, text, expected) => {
    expect(readText(text)).toMatchObject({ isDone: true, excess: 0, ...expected });
    expect(read(everyByte(text))).toEqual(readText(text));
  });

  test('has no body when only the head was asked for', () => {
    expect(readText('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', 'HEAD')).toMatchObject({
      isDone: true,
      body: '',
      keepsAlive: true,
    });
  });

  test('without a length lasts until the connection ends', () => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nso far';
    expect(readText(text)).toMatchObject({ isDone: false, body: 'so far' });
    expect(readText(text, 'GET', true)).toMatchObject({ isDone: true, keepsAlive: false });
  });

  test('bytes after its end are counted, not read', () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx';
    expect(readText(`${answer}HTTP/1.1 200 OK\r\n`)).toMatchObject({ body: 'x', excess: 17 });
  });
});

describe('an answer that ends early is not complete', () => {
  test.each([
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nab',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n',
    '',
  ])('%j', (text) => {
    expect(readText(text, 'GET', true).isDone).toBe(false);
  });
});

describe('what two readers could understand differently is refused', () => {
  const long = 'x'.repeat(70_000);
  test.each<[string, string, string]>([
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      'Content-Length, got "1, 2"',
    ],
    [
      'the same length twice',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\na',
      'Content-Length',
    ],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', 'Content-Length, got "-1"'],
    ['a signed length', 'HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\na', 'Content-Length'],
    [
      'an endless length',
      'HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\n',
      'Content-Length',
    ],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'got both',
    ],
    ['an unknown coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n', '"gzip, chunked"'],
    [
      'chunked twice',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n',
      '"chunked, chunked"',
    ],
    ['chunks over HTTP/1.0', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', 'HTTP/1.0'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\ncontent-length : 1\r\n\r\na', 'name: value'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nx-a: b\r\n c\r\n\r\n', 'name: value'],
    ['a line without a name', 'HTTP/1.1 200 OK\r\n: b\r\n\r\n', 'name: value'],
    ['a line without a colon', 'HTTP/1.1 200 OK\r\nabc\r\n\r\n', 'name: value'],
    ['a CR in a value', 'HTTP/1.1 200 OK\r\nx-a: b\rc\r\n\r\n', 'name: value'],
    ['a NUL in a value', 'HTTP/1.1 200 OK\r\nx-a: b\0c\r\n\r\n', 'name: value'],
    ['a bare LF', 'HTTP/1.1 200 OK\ncontent-length: 1\n\na', 'bare LF'],
    ['an LF in a head', 'HTTP/1.1 200 OK\r\nx-a: b\nx-c: d\r\n\r\n', 'name: value'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'status line of HTTP/1.1, got "SSH-2.0"'],
    ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n', 'status line'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\n\r\n', 'status line'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'status line'],
    ['a status beyond 599', 'HTTP/1.1 600 OK\r\n\r\n', 'status line'],
    ['a line before the status', '\r\nHTTP/1.1 200 OK\r\n\r\n', 'status line'],
    ['101', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'got status 101'],
    ['interim answers without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(17), 'got status 100'],
    ['a head that is too long', `HTTP/1.1 200 OK\r\nx-a: ${long}\r\n\r\n`, 'at most 65536 bytes'],
    ['a head that does not end', `HTTP/1.1 200 OK\r\nx-a: ${long}`, 'at most 65536 bytes'],
    [
      'a chunk without a size',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\n',
      'size of a chunk, got ""',
    ],
    [
      'a chunk of a negative size',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n',
      'size of a chunk',
    ],
    [
      'a chunk of 0x3',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0x3\r\nabc\r\n',
      'size of a chunk',
    ],
    [
      'a space after a size',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3 \r\nabc\r\n',
      'size of a chunk',
    ],
    [
      'a chunk of more than fits',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'f'.repeat(13)}\r\n`,
      'size of a chunk',
    ],
    [
      'a chunk longer than its size',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabcd\r\n',
      'CR LF after a chunk',
    ],
    [
      'an extension that is too long',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${long}`,
      'line of at most 4096',
    ],
    [
      'a trailer that is too long',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${`a: ${'x'.repeat(4000)}\r\n`.repeat(17)}`,
      'trailer of at most',
    ],
    [
      'a trailer of something else',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nabc\r\n\r\n',
      'name: value',
    ],
  ])('%s', (_name, text, message) => {
    expect(() => readText(text)).toThrow(InvalidResponseError);
    expect(() => readText(text)).toThrow(message);
    expect(() => read(everyByte(text))).toThrow(InvalidResponseError);
  });

  test('the message does not show a header, which may be a secret', () => {
    expect(() => readText('HTTP/1.1 200 OK\r\nset-cookie : hush\r\n\r\n')).toThrow(/^(?!.*hush)/);
  });
});

/** An answer in all forms that the grammar allows, and what it must be read as. */
const answers = fc
  .record({
    status: fc.constantFrom(200, 201, 404, 429, 500),
    reason: fc.constantFrom(' OK', ' ', '', ' Not \xe9 Found'),
    interim: fc.boolean(),
    names: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), { maxLength: 4 }),
    value: fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/),
    body: fc.uint8Array({ maxLength: 300 }),
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }),
    framing: fc.constantFrom('length', 'chunks', 'none' as const),
    extension: fc.constantFrom('', ';a', ' ; name="value"'),
    trailer: fc.constantFrom('', 'x-trailer: 1\r\n'),
  })
  .map(({ status, reason, interim, names, value, body, sizes, framing, extension, trailer }) => {
    const content = Buffer.from(body).toString('latin1');
    const headers = names
      .filter((name) => !['connection', 'content-length', 'transfer-encoding'].includes(name))
      .map((name) => `${name}: ${value}\r\n`)
      .join('');
    const head = `${interim ? 'HTTP/1.1 100 Continue\r\n\r\n' : ''}HTTP/1.1 ${status}${reason}\r\n${headers}`;
    const text =
      framing === 'length'
        ? `${head}Content-Length: ${body.length}\r\n\r\n${content}`
        : framing === 'none'
          ? `${head}\r\n${content}`
          : `${head}Transfer-Encoding: chunked\r\n\r\n${chunked(content, sizes, extension)}0\r\n${trailer}\r\n`;
    return { status, content, text, eof: framing === 'none' };
  });

function chunked(content: string, sizes: readonly number[], extension: string): string {
  let rest = content;
  let text = '';
  for (const size of [...sizes, content.length]) {
    const part = rest.slice(0, size);
    rest = rest.slice(size);
    if (part !== '') text += `${part.length.toString(16)}${extension}\r\n${part}\r\n`;
  }
  return text;
}

test('any valid answer is read the same wherever it is cut', () => {
  fc.assert(
    fc.property(answers, fc.array(fc.nat(), { maxLength: 12 }), ({ status, content, text, eof }, cuts) => {
      const whole = read([bytes(text)], 'GET', eof);
      expect(whole).toMatchObject({ status, body: content, isDone: true, excess: 0 });
      const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...places].map((from, index) => bytes(text).subarray(from, places[index]));
      expect(read(pieces, 'GET', eof)).toEqual(whole);
      expect(read(everyByte(text), 'GET', eof)).toEqual(whole);
    }),
    { numRuns: runs(500) },
  );
});

test('nothing makes the reader throw anything but its own error, or take more than it was given', () => {
  const noise = fc.array(
    fc.constantFrom(
      'HTTP/1.1 ',
      '200',
      ' OK',
      '\r\n',
      '\n',
      '\r',
      '\0',
      'content-length: ',
      '3',
      'transfer-encoding: chunked',
      'abc',
      ':',
      ' ',
      '0',
      '\xff',
    ),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(noise, (parts) => {
      try {
        const { body } = read(parts.map(bytes));
        expect(body.length).toBeLessThanOrEqual(parts.join('').length);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidResponseError);
      }
    }),
    { numRuns: runs(2000) },
  );
});
