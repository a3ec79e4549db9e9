import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  camelCase,
  checkKindName,
  checkLabel,
  checkPlural,
  checkProjectName,
  checkSubdomain,
  checkTextLine,
  checkVersion,
  kebabCase,
  pascalCase,
  projectNameFromFolder,
} from '../../../../src/project/project/index.ts';

const hostile = "O'Hara */ ${x} {{y}}";

describe('name checks', () => {
  it.each([
    [
      'subdomain',
      checkSubdomain,
      // Unlike DNS itself, Kubernetes sets no limit to a single label.
      ['example.com', 'a', 'my-domain', '1a.b2', `${'a'.repeat(70)}.example.com`],
      ['', 'Foo_Bar', 'a..b', '-a', 'a-', 'a.', `${'a'.repeat(254)}`, hostile],
    ],
    ['label', checkLabel, ['a', 'a-1', '1a'], ['', 'a.b', 'A', 'a_b', hostile]],
    ['plural', checkPlural, ['as', 'a-1'], ['', '1a', 'a.b', hostile]],
    [
      'version',
      checkVersion,
      ['v1', 'v12', 'v1alpha1', 'v2beta13'],
      ['', '1alpha', 'v0', 'v1alpha', 'v1alpha0', 'v1gamma1', 'V1', 'v1\n', hostile],
    ],
    [
      'kind',
      checkKindName,
      ['Nginx', 'HTTPRoute', 'V2'],
      ['', 'nginx', 'Ng-inx', 'Ng inx', 'N'.repeat(64), hostile],
    ],
    [
      'project name',
      checkProjectName,
      ['nginx-operator', 'a'.repeat(28)],
      ['', '9lives', 'a'.repeat(29), 'A', hostile],
    ],
    ['text', checkTextLine, ["O'Hara", hostile, 'Ünïcode 🚀'], ['a\nb', 'a\u0000', 'a\u2028b', '\ud800']],
  ] as const)('%s', (_name, check, good, bad) => {
    for (const value of good) expect([value, check(value)]).toEqual([value, undefined]);
    for (const value of bad) expect([value, typeof check(value)]).toEqual([value, 'string']);
  });
});

describe('cases', () => {
  it.each([
    ['NginxOperator', 'nginx-operator', 'nginxOperator'],
    ['HTTPRoute', 'http-route', 'httpRoute'],
    ['EtcdV2', 'etcd-v2', 'etcdV2'],
    ['A', 'a', 'a'],
    ['Memcached', 'memcached', 'memcached'],
  ])('%s', (kind, kebab, camel) => {
    expect([kebabCase(kind), camelCase(kind)]).toEqual([kebab, camel]);
    expect(pascalCase(kebab).toLowerCase()).toBe(kind.toLowerCase());
  });

  it('gives every kind a file name of letters, digits and dashes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,30}$/), (kind) => {
        expect(kebabCase(kind)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
    );
  });
});

describe('projectNameFromFolder', () => {
  it.each([
    ['nginx-operator', 'nginx-operator'],
    ['My Operator_2', 'my-operator-2'],
    ['-x-', 'x'],
    ['3scale', 'scale'],
    ['Café', 'cafe'],
    ['___', undefined],
    ['日本', undefined],
  ])('%s → %s', (folder, name) => {
    expect(projectNameFromFolder(folder)).toBe(name);
  });

  it('gives names that only their length can make invalid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (folder) => {
        const name = projectNameFromFolder(folder);
        if (name !== undefined && name.length <= 28)
          expect([name, checkProjectName(name)]).toEqual([name, undefined]);
      }),
    );
  });
});
