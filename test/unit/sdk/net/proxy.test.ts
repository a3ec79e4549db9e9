import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseProxy, proxyFor, secrets } from '../../../../src/sdk/net/index.ts';

/** What `httpproxy.Config.ProxyFunc` of golang.org/x/net v0.49 says with a proxy for both schemes. */
interface Verdict {
  readonly server: string;
  readonly noProxy: string;
  readonly proxied: boolean;
}

const verdicts = JSON.parse(
  readFileSync(new URL('proxies.json', import.meta.url), 'utf8'),
) as readonly Verdict[];

describe('the proxy for a server', () => {
  test('is left out by NO_PROXY where kubectl leaves it out', () => {
    const ours = verdicts.map(({ server, noProxy }) => {
      const env = { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1', NO_PROXY: noProxy };
      return { server, noProxy, proxied: proxyFor(new URL(server), env) !== undefined };
    });
    expect(ours).toEqual(verdicts);
  });

  test.each([
    ['https://a.example.com', { HTTPS_PROXY: 'http://p:3128' }, 'p:3128'],
    ['https://a.example.com', { https_proxy: 'p:3128' }, 'p:3128'],
    ['https://a.example.com', { HTTP_PROXY: 'http://p:3128' }, undefined],
    ['http://a.example.com', { HTTP_PROXY: 'http://p:3128' }, 'p:3128'],
    ['https://a.example.com', { HTTPS_PROXY: '' }, undefined],
    ['https://a.example.com', { HTTPS_PROXY: '', https_proxy: 'http://p:3128' }, 'p:3128'],
    ['https://a.example.com', { HTTPS_PROXY: 'p:1', NO_PROXY: '', no_proxy: 'example.com' }, undefined],
    ['https://registry.localhost:5000', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['https://[fd00::1]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[fd00::1]' }, undefined],
  ])('for %s with %j is %s', (server, env, expected) => {
    expect(proxyFor(new URL(server), env as Record<string, string>)?.host).toBe(expected);
  });

  test.each(['socks5://me:s3cret@p:1', 'http://me:s3cret%zz@p:1', 'http://user:sec/ret@a:1'])(
    'of another kind is refused without its password: %s',
    (HTTPS_PROXY) => {
      expect(() => proxyFor(new URL('https://a.example.com'), { HTTPS_PROXY })).toThrow(
        /^\[net\/invalid-proxy\] HTTPS_PROXY: expected the http:\/\/ URL of a proxy\n  at HTTPS_PROXY\n  fix: name an HTTP proxy that supports CONNECT\n  fix: or add a\.example\.com to NO_PROXY$/,
      );
      const env = { HTTPS_PROXY, NO_PROXY: 'example.com' };
      expect(proxyFor(new URL('https://a.example.com'), env)).toBeUndefined();
    },
  );

  test('keeps its password out of all texts', () => {
    parseProxy('http://me:pr%40xy-word@p:1');
    const basic = Buffer.from('me:pr@xy-word').toString('base64');
    expect(secrets.redact(`pr%40xy-word pr@xy-word ${basic}`)).toBe('*** *** ***');
  });
});
