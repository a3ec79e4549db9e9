import { describe, expect, test, vi } from 'vitest';
import { createRedactor, redactValue, renewedSecret, secrets } from '../../../../src/sdk/net/index.ts';

describe('a redactor', () => {
  test('hides secrets in the forms in which servers quote them', () => {
    const redactor = createRedactor();
    redactor.hide('p"ss/w+rd');
    expect(redactor.redact('a p"ss/w+rd b p\\"ss/w+rd c p%22ss%2Fw%2Brd')).toBe('a *** b *** c ***');
  });

  test('hides the longer of two secrets first', () => {
    const redactor = createRedactor();
    redactor.hide('secret');
    redactor.hide('secret-token');
    expect(redactor.redact('secret-token secret')).toBe('*** ***');
  });

  test('hides the secrets of its parent, which does not hide its own', () => {
    const parent = createRedactor();
    const child = createRedactor(parent);
    parent.hide('parental');
    child.hide('childish');
    expect(child.redact('parental childish')).toBe('*** ***');
    expect(parent.redact('parental childish')).toBe('*** childish');
  });

  test('hides private keys and web tokens that nobody has loaded', () => {
    const key = '-----BEGIN EC PRIVATE KEY-----\nabc\ndef\n-----END EC PRIVATE KEY-----';
    const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2ln-bmF0_dXJl';
    const redactor = createRedactor();
    expect(redactor.redact(`key ${key} token ${token} end`)).toBe('key *** token *** end');
    expect(redactor.redact(JSON.stringify({ key, token }))).toBe('{"key":"***","token":"***"}');
  });

  test('leaves alone what is too short to be a secret, and shorter secrets on demand', () => {
    const redactor = createRedactor();
    redactor.hide('abc');
    redactor.hide(' \n');
    redactor.hide('default');
    expect(redactor.redact('abc default')).toBe('abc ***');
    expect(redactor.redact('abc default', 16)).toBe('abc default');
  });

  test('copes with text that is not Unicode', () => {
    const redactor = createRedactor();
    redactor.hide('broken\ud800');
    expect(redactor.redact('a broken\ud800 b')).toBe('a *** b');
  });
});

test('of a secret that is renewed the newest two are hidden', () => {
  const hide = renewedSecret();
  for (const secret of ['renewed-1', 'renewed-2', 'renewed-2', 'renewed-3']) hide(secret);
  expect(secrets.redact('renewed-1 renewed-2 renewed-3')).toBe('renewed-1 *** ***');
});

test('a value is redacted down to its leaves', () => {
  secrets.hide('deep-secret');
  const value = { a: ['x deep-secret', 1, null], b: { c: 'deep-secret' }, at: new Date(0) };
  expect(redactValue(value)).toEqual({
    a: ['x ***', 1, null],
    b: { c: '***' },
    at: '1970-01-01T00:00:00.000Z',
  });
});

test('passwords in URLs are hidden, whoever quotes them', () => {
  for (const [text, clean] of [
    ['get https://user:pa55@example.com/a: 404', 'get https://***@example.com/a: 404'],
    ['https://u:p@ss@example.com', 'https://***@example.com'],
    ['http://:secret@proxy:3128', 'http://***@proxy:3128'],
    ['https://example.com/a:b@c', 'https://example.com/a:b@c'],
    ['ssh://git@example.com/x', 'ssh://git@example.com/x'],
    ['registry.example.com/a:v1@sha256:00', 'registry.example.com/a:v1@sha256:00'],
  ] as const)
    expect(createRedactor().redact(text)).toBe(clean);
});

test('a secret that one copy of the module has loaded is hidden by each', async () => {
  vi.resetModules();
  const copy = await import('../../../../src/sdk/net/redact.ts');
  expect(copy.createRedactor).not.toBe(createRedactor);
  const forget = copy.secrets.hide('token of the bundle');
  expect(secrets.redact('a token of the bundle')).toBe('a ***');
  forget();
  expect(secrets.redact('a token of the bundle')).toBe('a token of the bundle');
});
