import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reachOf, parseRetryAfter } from '../../../../src/sdk/net/index.ts';
import { parseChallenges, joinScopes, parseToken } from '../../../../src/images/registry/authorizer.ts';
import { parseErrorBody, createMessageCleaner } from '../../../../src/images/registry/failure.ts';
import { chunkSize } from '../../../../src/images/registry/push-image.ts';
import { credentialsKeys, registryOrigins, safeTargets } from '../../../../src/images/registry/options.ts';
import { formatSize } from '../../../../src/images/registry/upload-chunks.ts';

describe('parseChallenges', () => {
  it.each([
    ['', []],
    ['Basic', [['basic', {}]]],
    ['Basic realm="a, b"', [['basic', { realm: 'a, b' }]]],
    [
      'Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a/b:pull,push"',
      [
        [
          'bearer',
          { realm: 'https://auth.example.com/token', service: 'registry', scope: 'repository:a/b:pull,push' },
        ],
      ],
    ],
    [
      'Negotiate, Basic realm=x',
      [
        ['negotiate', {}],
        ['basic', { realm: 'x' }],
      ],
    ],
    [
      'Negotiate YWJj==, BEARER Realm = "y"',
      [
        ['negotiate', {}],
        ['bearer', { realm: 'y' }],
      ],
    ],
    ['Basic realm="say \\"hi\\"" , charset=UTF-8', [['basic', { realm: 'say "hi"', charset: 'UTF-8' }]]],
    [
      ', ,Basic realm="",,Bearer realm=z',
      [
        ['basic', { realm: '' }],
        ['bearer', { realm: 'z' }],
      ],
    ],
    ['Basic realm="a", realm="b"', [['basic', { realm: 'a' }]]],
    ['Basic realm="never ends', [['basic', {}]]],
    ['Basic __proto__="x"', [['basic', { ['__proto__']: 'x' }]]],
  ])('reads %s', (header, expected) => {
    const found = parseChallenges(header);
    expect(found.map(({ scheme, parameters }) => [scheme, Object.entries(parameters)])).toEqual(
      expected.map(([scheme, parameters]) => [scheme, Object.entries(parameters as object)]),
    );
  });

  const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,8}$/);
  const value = fc.string({ unit: 'grapheme-ascii' });
  const challenge = fc.record({
    scheme: token,
    parameters: fc.uniqueArray(fc.tuple(token, value), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name.toLowerCase(),
    }),
  });

  it('reads back what was written, quoted, whatever the values', () => {
    fc.assert(
      fc.property(fc.array(challenge, { maxLength: 3 }), (challenges) => {
        const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
        const header = challenges
          .map(
            ({ scheme, parameters }) =>
              `${scheme} ${parameters.map(([name, text]) => `${name}=${quote(text)}`).join(', ')}`,
          )
          .join(', ');
        expect(
          parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.entries(parameters)]),
        ).toEqual(
          challenges.map(({ scheme, parameters }) => [
            scheme.toLowerCase(),
            parameters.map(([name, text]) => [name.toLowerCase(), text]),
          ]),
        );
      }),
    );
  });

  it('ends and never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', ',', '=', ' ', '\t', 'a', 'B', '/', 'é', '\n') }),
        (text) => {
          expect(Array.isArray(parseChallenges(text))).toBe(true);
        },
      ),
    );
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:30 GMT', 0],
    ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %s', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});

describe('reachOf', () => {
  it.each([
    ['localhost', 'loopback'],
    ['kind.localhost', 'loopback'],
    ['127.0.0.1', 'loopback'],
    ['127.255.1.2', 'loopback'],
    ['[::1]', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['169.254.169.254', 'link-local'],
    ['0.0.0.0', 'link-local'],
    ['fe80::1', 'link-local'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['8.8.8.8', 'public'],
    ['2001:db8::1', 'public'],
    ['registry.example.com', undefined],
    ['localhost.example.com', undefined],
  ])('%s is %s', (host, reach) => {
    expect(reachOf(host)).toBe(reach);
  });
});

describe('registryOrigins', () => {
  const origins = (registry: string, plainHttp = false, insists = false): string[] =>
    registryOrigins(registry, { plainHttp, insists }).map(({ origin }) => origin);

  it('is HTTPS; docker.io has another host', () => {
    expect(origins('registry.example.com')).toEqual(['https://registry.example.com']);
    expect(origins('docker.io')).toEqual(['https://registry-1.docker.io']);
    expect(origins('10.0.0.1:5000')).toEqual(['https://10.0.0.1:5000']);
  });

  it.each(['localhost:5000', '127.0.0.1:5000', '[::1]:5000'])(
    'tries plain HTTP after it on %s only',
    (registry) => {
      expect(origins(registry)).toEqual([`https://${registry}`, `http://${registry}`]);
      expect(origins(registry, false, true)).toEqual([`https://${registry}`]);
    },
  );

  it('is plain HTTP alone when asked', () => {
    expect(origins('registry.example.com:5000', true)).toEqual(['http://registry.example.com:5000']);
  });

  it('knows the keys of the hub', () => {
    expect(credentialsKeys('docker.io')[0]).toBe('https://index.docker.io/v1/');
    expect(credentialsKeys('quay.io')).toEqual(['quay.io']);
  });
});

describe('safeTargets', () => {
  const registry = new URL('https://registry.example.com');
  it.each([
    ['public', ['public']],
    ['private', ['private', 'public']],
    ['loopback', ['loopback', 'private', 'public']],
    [undefined, ['private', 'public']],
  ] as const)('of a %s registry are %j', (reach, expected) => {
    const targets = safeTargets(registry, reach);
    expect([...(targets.allowed(new URL('https://elsewhere.example.com')) ?? [])].sort()).toEqual(
      [...expected].sort(),
    );
    expect(targets.allowed(new URL('https://registry.example.com:8443/token'))).toBeUndefined();
  });

  it('never lead from HTTPS to plain HTTP elsewhere, nor away from HTTP', () => {
    const targets = safeTargets(registry, 'public');
    expect(() => targets.check(new URL('http://registry.example.com/x?secret=1'))).toThrow(
      /plain HTTP \(http:\/\/registry.example.com\)$/,
    );
    expect(() => targets.check(new URL('file:///etc/passwd'))).toThrow('unsupported scheme');
    expect(() => targets.check(new URL('https://a.example.com'))).not.toThrow();
    const plain = safeTargets(new URL('http://registry.example.com'), 'public');
    expect(() => plain.check(new URL('http://storage.example.com'))).not.toThrow();
  });
});

describe('parseErrorBody', () => {
  it.each([
    ['{"errors":[{"code":"DENIED","message":"no"}]}', ['DENIED'], 'no'],
    ['{"errors":[{"code":"denied","message":"a","detail":"b"},{"code":"X"}]}', ['DENIED', 'X'], 'a: b'],
    ['{"errors":[{"code":"DENIED","message":""}]}', ['DENIED'], 'DENIED'],
    ['{"errors":[{"code":"M","message":"m","detail":{"Name":"x"}}]}', ['M'], 'm: {"Name":"x"}'],
    ['{"errors":"odd","message":"m"}', [], 'm'],
    ['{"error":"invalid_grant","error_description":"expired"}', [], 'expired'],
    ['{"details":"incorrect username or password"}', [], 'incorrect username or password'],
    ['<html><head><title>502 Bad Gateway</title></head><body>x</body></html>', [], '502 Bad Gateway'],
    ['<html><body><h1>413</h1><script>x()</script></body></html>', [], '413'],
    ['404 page not found\n', [], '404 page not found'],
    ['', [], ''],
    ['[]', [], '[]'],
    ['null', [], 'null'],
  ])('understands %s', (body, codes, text) => {
    expect(parseErrorBody(body)).toEqual({ codes, text });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"errors":[${json}]}`),
        ),
        (body) => {
          expect(typeof parseErrorBody(body).text).toBe('string');
        },
      ),
    );
  });
});

describe('parseToken', () => {
  it.each([
    ['{"token":"a"}', 'a', 54_000],
    ['{"access_token":"b","expires_in":100}', 'b', 90_000],
    ['{"token":"","access_token":"b"}', 'b', 54_000],
    ['{"token":"a","expires_in":-1}', 'a', 54_000],
    ['{"token":"a","expires_in":"900"}', 'a', 54_000],
  ])('reads %s', (body, value, renewAt) => {
    expect(parseToken(body, 0)).toEqual({ value, renewAt });
  });
  it.each(['{"token":"a\\r\\nX: y"}', '{}', '', 'null', '[]', '{"token":5}'])('refuses %s', (body) => {
    expect(parseToken(body, 0)).toBeUndefined();
  });
});

it.each([
  [undefined, 1e9, undefined],
  [1, 1e6, undefined],
  [1, 1e8, 8 * 1024 * 1024],
  [20 * 1024 * 1024, 1e8, 20 * 1024 * 1024],
  // Each part is held in memory.
  [1024 ** 3, 1e11, undefined],
])(
  'chunkSize: a registry that wants parts of %s bytes or more gets %s bytes in parts of %s',
  (smallest, size, chunk) => {
    expect(chunkSize(smallest, size)).toBe(chunk);
  },
);

it('joinScopes joins the actions of one resource', () => {
  expect(joinScopes(['repository:a/b:pull'], ['repository:a/b:push,pull', 'repository:c:pull'])).toEqual([
    'repository:a/b:pull,push',
    'repository:c:pull',
  ]);
});

it('formatSize', () => {
  expect([0, 999, 1000, 1_450_000, 2e9, 5e15].map(formatSize)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '1.4 MB',
    '2.0 GB',
    '5000.0 TB',
  ]);
});

describe('a cleaner of messages', () => {
  it('hides secrets in the forms in which servers quote them, and control characters', () => {
    const redactor = createMessageCleaner();
    redactor.hide('p"ss/w+rd');
    expect(redactor.clean('a p"ss/w+rd b p\\"ss/w+rd c p%22ss%2Fw%2Brd\r\n\u001b[31md')).toBe(
      'a *** b *** c *** [31md',
    );
  });
  it('shortens', () => {
    expect(createMessageCleaner().clean('x'.repeat(1000))).toHaveLength(301);
  });
});
