import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatReference, parseReference, tagOrDigest, withDefaultTag } from '../../../src/images/index.ts';
import { isOpSdkError } from '../../../src/base/errors/index.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

test.each([
  ['node', 'docker.io/library/node'],
  // As for docker: without a slash it is no registry.
  ['registry.example.com', 'docker.io/library/registry.example.com'],
  ['node:24-slim', 'docker.io/library/node:24-slim'],
  ['team/operator', 'docker.io/team/operator'],
  ['docker.io/node:24', 'docker.io/library/node:24'],
  ['index.docker.io/team/operator', 'docker.io/team/operator'],
  ['localhost/operator', 'localhost/operator'],
  ['localhost:5000/operator:v1', 'localhost:5000/operator:v1'],
  ['[::1]:5000/operator', '[::1]:5000/operator'],
  ['registry.example.com/a/b/c:v0.1.0', 'registry.example.com/a/b/c:v0.1.0'],
  [`quay.io/a/b@${digest}`, `quay.io/a/b@${digest}`],
  [`quay.io/a/b:v1@${digest}`, `quay.io/a/b:v1@${digest}`],
  ['quay.io/a__b/c--d.e_f', 'quay.io/a__b/c--d.e_f'],
])('%s means %s', (text, full) => {
  expect(formatReference(parseReference(text))).toBe(full);
});

test.each([
  ['', /names no image/],
  ['Team/operator', /upper|capital|lower/i],
  ['registry.example.com/', /./],
  ['registry.example.com/a:', /tag/],
  ['registry.example.com/a:v1+build', /tag/],
  [`registry.example.com/a:${'x'.repeat(129)}`, /tag/],
  ['registry.example.com/a@sha256:abc', /digest/],
  ['registry.example.com/a@md5:abc', /digest/],
  ['https://registry.example.com/a', /URL/],
  ['registry.example.com//a', /./],
  ['registry.example.com/a b', /./],
  ['registry.example.com:port/a', /./],
  [`registry.example.com/${'a'.repeat(256)}`, /255/],
])('%j is refused, with its flag', (text, message) => {
  const error = refusal(text);
  for (const finding of error.findings) {
    expect(finding).toMatchObject({ code: 'oci/invalid-reference', where: { flag: '--tag' } });
  }
  expect(error.findings.map((finding) => finding.message).join('\n')).toMatch(message);
});

test('all findings are reported at once', () => {
  expect(refusal('registry.example.com/Team/x:v+1@sha256:1').findings).toHaveLength(3);
});

test('what is written is read again', () => {
  const component = fc.stringMatching(/^[a-z0-9]{1,8}(?:(?:\.|_|__|-{1,3})[a-z0-9]{1,8}){0,2}$/);
  const reference = fc.record(
    {
      registry: fc.constantFrom('docker.io', 'localhost', 'localhost:5000', 'quay.io', '10.0.0.1:443'),
      repository: fc.array(component, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('/')),
      tag: fc.stringMatching(/^\w[\w.-]{0,20}$/),
      digest: fc.stringMatching(/^[0-9a-f]{64}$/).map((hex) => `sha256:${hex}`),
    },
    { requiredKeys: ['registry', 'repository'] },
  );
  fc.assert(
    fc.property(reference, (value) => {
      expect(parseReference(formatReference(value))).toEqual(value);
    }),
  );
});

test('without tag and digest, latest is meant', () => {
  const reference = parseReference('quay.io/a/b');
  expect(tagOrDigest(reference)).toBe('latest');
  expect(withDefaultTag(reference).tag).toBe('latest');
  const exact = parseReference(`quay.io/a/b@${digest}`);
  expect(tagOrDigest(exact)).toBe(digest);
  expect(withDefaultTag(exact)).toEqual(exact);
});

function refusal(text: string) {
  try {
    parseReference(text, '--tag');
  } catch (error) {
    if (isOpSdkError(error)) return error;
    throw error;
  }
  throw new Error(`${text} was taken`);
}
