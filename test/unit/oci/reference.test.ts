import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFinding, isOpSdkError } from '../../../src/errors/index.ts';
import { formatReference, parseReference, tagOrDigest } from '../../../src/oci/reference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('parseReference', () => {
  it.each([
    ['node', 'docker.io/library/node'],
    ['node:24-slim', 'docker.io/library/node:24-slim'],
    ['team/operator', 'docker.io/team/operator'],
    ['docker.io/node', 'docker.io/library/node'],
    ['index.docker.io/node', 'docker.io/library/node'],
    ['localhost/a', 'localhost/a'],
    ['localhost:5000/a:1', 'localhost:5000/a:1'],
    ['127.0.0.1:5000/a/b:v0.1.0', '127.0.0.1:5000/a/b:v0.1.0'],
    ['[::1]:5000/a', '[::1]:5000/a'],
    ['Registry.Example.com/a', 'Registry.Example.com/a'],
    ['registry.example.com/a__b/c--d/e.f_g:V1.0_x', 'registry.example.com/a__b/c--d/e.f_g:V1.0_x'],
    [`quay.io/a/b@${digest}`, `quay.io/a/b@${digest}`],
    [`quay.io/a/b:v1@${digest}`, `quay.io/a/b:v1@${digest}`],
    // What docker reads as a repository with a tag, not as a registry with a port.
    ['registry:5000', 'docker.io/library/registry:5000'],
  ])('reads %s as %s', (text, full) => {
    expect(formatReference(parseReference(text))).toBe(full);
  });

  it.each([
    ['', 'the repository is missing'],
    ['localhost:5000', 'the repository is missing'],
    ['127.0.0.1:5000', 'the repository is missing'],
    ['localhost:5000/', 'the repository is missing'],
    ['quay.io/Team/operator', "'Team' has upper case letters"],
    ['Team/operator', "'Team' has upper case letters and no dot or port"],
    ['Operator', "'Operator' has upper case letters"],
    ['quay.io//a', 'two slashes'],
    ['quay.io/a/', 'two slashes'],
    ['/a', 'two slashes'],
    ['a..b', "'a..b' is no part of a repository"],
    ['a___b', "'a___b' is no part of a repository"],
    ['-a', "'-a' is no part"],
    ['a b', "'a b' is no part"],
    ['a:', 'the tag'],
    ['a:v1+x', 'versions with + cannot be tags'],
    [`a:${'x'.repeat(129)}`, 'longer than 128'],
    ['a:.x', 'the tag'],
    ['a@sha256:12', "the digest 'sha256:12'"],
    [`a@${digest.toUpperCase()}`, 'the digest'],
    ['a@sha512:00', 'the digest'],
    ['host_name:80/a', "'host_name:80' is no host"],
    ['host.:80/a', 'is no host'],
    ['host:99999/a', 'there is no port 99999'],
    ['https://quay.io/a/b', 'is a URL'],
    ['f'.repeat(64), 'the id of an image'],
    [`quay.io/${'a'.repeat(256)}`, 'longer than 255'],
  ])('refuses %s', (text, message) => {
    expect(findingsOf(text)).toContain(message);
  });

  it('tells everything at once, with the flag', () => {
    const text = findingsOf('host:99999/Team/a..b:v1+x@md5:0');
    for (const part of ['99999', "'Team'", "'a..b'", "'v1+x'", "'md5:0'", '--tag'])
      expect(text).toContain(part);
  });

  it('reads what it writes', () => {
    const component = fc.stringMatching(/^[a-z0-9]{1,8}(?:(?:[._]|__|-{1,3})[a-z0-9]{1,8}){0,2}$/);
    const registry = fc.stringMatching(
      /^(?:localhost|[a-z0-9]{1,8}(?:\.[a-z0-9]{1,8}){1,3})(?::[1-9][0-9]{0,3})?$/,
    );
    const reference = fc.record(
      {
        registry,
        repository: fc.array(component, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
        tag: fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/),
        digest: fc.constant(digest),
      },
      { requiredKeys: ['registry', 'repository'] },
    );
    fc.assert(
      fc.property(reference, (value) => {
        expect(parseReference(formatReference(value))).toEqual(value);
      }),
    );
  });

  it('throws findings for every other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          const parsed = parseReference(text);
          expect(parseReference(formatReference(parsed))).toEqual(parsed);
        } catch (error) {
          expect(isOpSdkError(error)).toBe(true);
        }
      }),
    );
  });
});

describe('tagOrDigest', () => {
  it('prefers the digest and falls back to latest', () => {
    expect(tagOrDigest(parseReference(`a:1@${digest}`))).toBe(digest);
    expect(tagOrDigest(parseReference('a:1'))).toBe('1');
    expect(tagOrDigest(parseReference('a'))).toBe('latest');
  });
});

function findingsOf(text: string): string {
  try {
    parseReference(text, '--tag');
  } catch (error) {
    if (isOpSdkError(error)) return error.findings.map((finding) => formatFinding(finding)).join('\n');
    throw error;
  }
  throw new Error(`'${text}' was accepted`);
}
