import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withQuery, parseWarnings, reportOnce } from '../../../../src/sdk/kube/client/calls.ts';
import {
  hasLongDigits,
  unsafeIntegers,
  parseExactly,
} from '../../../../src/sdk/kube/client/check-request.ts';
import { ApiError } from '../../../../src/sdk/kube/index.ts';
import { TransportError } from '../../../../src/sdk/kube/transport/transport-error.ts';
import { OpSdkError } from '../../../../src/base/errors/index.ts';
import { defaultReflectorSettings, remedyFor } from '../../../../src/sdk/kube/watch/recovery.ts';
import { Backoff } from '../../../../src/sdk/net/index.ts';
import { LineSplitter } from '../../../../src/sdk/kube/watch/run-watch.ts';

describe('lines', () => {
  test('R13: are the same however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text));
    fc.assert(
      fc.property(
        fc.array(line),
        line,
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.array(fc.nat(12), { minLength: 1 }),
        (lines, rest, end, sizes) => {
          const bytes = Buffer.from(lines.map((text) => text + end).join('') + rest);
          const seen: string[] = [];
          const splitter = new LineSplitter((each) => seen.push(each.toString('utf8')));
          for (let start = 0, index = 0; start < bytes.length; index += 1) {
            const size = 1 + (sizes[index % sizes.length] ?? 0);
            splitter.write(bytes.subarray(start, start + size));
            start += size;
          }
          expect(seen).toEqual(lines.filter((text) => text !== ''));
          expect(splitter.rest().toString('utf8')).toBe(rest);
        },
      ),
    );
  });

  test('R13: without an end do not fill the memory', () => {
    const splitter = new LineSplitter(() => undefined);
    const chunk = Buffer.alloc(16 * 1024 * 1024, 'x');
    expect(() => {
      for (let index = 0; index < 5; index += 1) splitter.write(chunk);
    }).toThrow('64 MiB');
  });
});

describe('back-off', () => {
  test("R9: has client-go's numbers", () => {
    expect(defaultReflectorSettings.backoff).toEqual({
      initial: 800,
      factor: 2,
      maximum: 30_000,
      jitter: 1,
    });
  });

  test('R9: grows from 0.8–1.6 s to 30–60 s', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 10, maxLength: 10 }),
        (randoms) => {
          let index = 0;
          const backoff = new Backoff(defaultReflectorSettings.backoff, () => randoms[index++] ?? 0);
          const bases = [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000];
          for (const [failure, base] of bases.entries()) {
            const delay = backoff.next();
            expect(delay).toBeCloseTo(base * (1 + (randoms[failure] ?? 0)), 6);
          }
        },
      ),
    );
  });

  test('R9: starts from the shortest delay after a success', () => {
    const backoff = new Backoff(defaultReflectorSettings.backoff, () => 0);
    expect([backoff.next(), backoff.next(), backoff.next()]).toEqual([800, 1600, 3200]);
    backoff.reset();
    expect([backoff.next(), backoff.next()]).toEqual([800, 1600]);
  });
});

describe('a failed watch', () => {
  const tooLarge = new ApiError({ verb: 'watch' }, 504, {
    kind: 'Status',
    reason: 'Timeout',
    details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
  });

  test.each([
    ['rewatch', new OpSdkError({ code: 'kube/credentials-failed', message: 'no token file' })],
    ['rewatch', new TransportError('kube/unreachable', 'gone')],
    ['rewatch', new ApiError({ verb: 'watch' }, 401, '')],
    ['rewatch', new ApiError({ verb: 'watch' }, 429, '')],
    ['rewatch-patiently', new TransportError('kube/bad-response', 'not JSON')],
    ['rewatch-patiently', new ApiError({ verb: 'watch' }, 503, '')],
    ['relist', new ApiError({ verb: 'watch' }, 410, '')],
    ['relist-consistent', tooLarge],
    ['relist', new ApiError({ verb: 'watch' }, 403, '')],
    ['relist', new RangeError('too long')],
  ])('R6: leads to %s (%s)', (remedy, error) => {
    expect(remedyFor(error)).toBe(remedy);
  });
});

describe('integers', () => {
  test('beyond 2^53-1 are found wherever they are, and others are not', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.string(), (value, text) => {
        const json = `{"text":${JSON.stringify(text)},"deep":[{"value":${value}}]}`;
        const rounded: string[] = [];
        parseExactly(json, (found) => rounded.push(...found.map(({ path }) => path)));
        const isSafe = value >= -(2n ** 53n) + 1n && value <= 2n ** 53n - 1n;
        expect(rounded).toEqual(isSafe ? [] : ['.deep[0].value']);
      }),
    );
  });

  test('are looked for exactly where a text has sixteen digits in a row', () => {
    const digits = fc.integer({ min: 0, max: 20 }).map((length) => '9'.repeat(length));
    const texts = fc.array(fc.oneof(digits, fc.constantFrom('-', 'a', 'ü', ' ')), { maxLength: 12 });
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('');
        const json = `["${text}",9223372036854775807]`;
        let reports = 0;
        parseExactly(json, () => (reports += 1));
        expect(reports).toBe(1);
        const harmless = `["${text}"]`;
        expect(parseExactly(harmless, () => (reports += 1))).toEqual([text]);
        expect(reports).toBe(1);
        expect(hasLongDigits(text)).toBe(/\d{16}/.test(text));
      }),
    );
  });

  test('do not include floats and greater numbers, which are floats to the server', () => {
    expect(unsafeIntegers({ a: 0.1234567890123456789, b: 1e20, c: -1e300, d: 2 ** 53 - 1, e: null })).toEqual(
      [],
    );
    expect(unsafeIntegers([2 ** 63, -(2 ** 63)])).toHaveLength(2);
  });
});

describe('a query', () => {
  test('is read by a server as it was given, and what is undefined is left out', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.option(fc.string(), { nil: undefined })), (query) => {
        const given = Object.entries(query).filter((entry) => entry[1] !== undefined);
        const { searchParams } = new URL(withQuery('/a', query), 'http://x');
        expect([...searchParams]).toEqual(given);
      }),
    );
    expect(withQuery('/a', undefined)).toBe('/a');
    expect(withQuery('/a', { b: undefined })).toBe('/a');
    expect(withQuery('/a?b=1', { c: 2, d: '', e: true, f: 'g h&i' })).toBe(
      '/a?b=1&c=2&d=&e=true&f=g%20h%26i',
    );
  });
});

describe('warnings', () => {
  test('are parsed as RFC 7234 writes them', () => {
    expect(parseWarnings(undefined)).toEqual([]);
    expect(parseWarnings('299 - "a, \\"b\\""')).toEqual(['a, "b"']);
    expect(parseWarnings('299 - "a", 299 kube "b" "Sat, 25 Aug 2012 23:34:45 GMT"')).toEqual(['a', 'b']);
  });

  test('are reported once, in bounded memory', () => {
    const reported: string[] = [];
    const report = reportOnce((text) => reported.push(text));
    for (let index = 0; index < 1001; index += 1) report(`w${index}`);
    report('w1000');
    report('w0');
    expect(reported).toHaveLength(1002);
    expect(reported.at(-1)).toBe('w0');
  });
});
