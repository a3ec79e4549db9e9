import { describe, expect, test } from 'vitest';
import { imageNameProblem } from '../../../../../src/olm/bundle/validate/image-name.ts';
import { copiedSources, dockerfileLabels } from '../../../../../src/olm/bundle/validate/dockerfile.ts';
import { isSemver, isVersionRange } from '../../../../../src/olm/bundle/validate/semver.ts';

describe('labels of a Dockerfile', () => {
  test.each<readonly [string, Readonly<Record<string, string | undefined>>]>([
    ['LABEL a=b', { a: 'b' }],
    ['label a=b c="d e"', { a: 'b', c: 'd e' }],
    ['LABEL a=b \\\n  # a comment\n\n  c=d', { a: 'b', c: 'd' }],
    ['LABEL a b c', { a: 'b c' }],
    ['LABEL "a b"=\'c d\'', { 'a b': 'c d' }],
    ['LABEL a="say \\"b\\""', { a: 'say "b"' }],
    ['LABEL a=b\\ c', { a: 'b c' }],
    ['LABEL a=$VERSION', { a: undefined }],
    ["LABEL a='$VERSION'", { a: '$VERSION' }],
    ['LABEL a=1\nLABEL a=2', { a: '2' }],
    ['LABEL a=', { a: '' }],
    ['LABEL', {}],
    ['# LABEL a=b\nFROM scratch', {}],
    ['LABEL a=b \\', { a: 'b' }],
  ])('%j', (text, labels) => {
    expect(Object.fromEntries(dockerfileLabels(text).map(({ key, value }) => [key, value]))).toEqual(labels);
  });

  test('lines count from 1, and are those of the instruction', () => {
    expect(dockerfileLabels('FROM a\nLABEL x=1 \\\n y=2\n').map(({ line }) => line)).toEqual([2, 2]);
  });

  test('what is copied', () => {
    expect(copiedSources('COPY --chown=1 bundle/manifests bundle/tests /x/\nADD a /b')).toEqual([
      'bundle/manifests',
      'bundle/tests',
      'a',
    ]);
  });
});

describe('names of images', () => {
  const digest = 'a'.repeat(64);
  test.each([
    'a',
    'a:1',
    'a/b',
    'localhost/a',
    'a.b:5000/c-d/e__f.g:V1.0_x',
    `a@sha256:${digest}`,
    `a:1@sha256:${digest}`,
    '[::1]:5000/a',
    'Host.com/a',
  ])('%s', (name) => expect(imageNameProblem(name)).toBeUndefined());
  test.each([
    '',
    'A',
    'a/B',
    'docker://a',
    'a:',
    'a:-',
    'a@sha256:abc',
    `a@sha256:${'A'.repeat(64)}`,
    `a@md5:${'a'.repeat(32)}`,
    digest,
    'a b',
    '/a',
    'a//b',
    `a/${'b'.repeat(256)}`,
  ])('not %j', (name) => expect(imageNameProblem(name)).toBeTypeOf('string'));
});

describe('versions and ranges', () => {
  test.each(['0.0.0', '1.2.3-rc.1', '1.2.3+a.b', '1.2.3-0a'])('%s is a version', (text) =>
    expect(isSemver(text)).toBe(true),
  );
  test.each(['', 'v1.2.3', '1.2', '01.2.3', '1.2.3-01', '1.2.3-', '1.2.3 '])('%j is none', (text) =>
    expect(isSemver(text)).toBe(false),
  );
  test.each(['1.2.3', '>=1.0.0', '>= 1.0.0 <2.0.0', '1.x', '1.2.x || >3.0.0', '!1.2.3'])(
    '%s is a range',
    (text) => expect(isVersionRange(text)).toBe(true),
  );
  test.each(['', '*', 'latest', '^1.2.3', '~1.2', '>=1.0.0 ||', '|| 1.0.0', '1.0.0 || || 2.0.0', '>=v1.0.0'])(
    '%j is none',
    (text) => expect(isVersionRange(text)).toBe(false),
  );
});
