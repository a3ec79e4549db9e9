import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { runNames } from '../../../../src/olm/run/run-names.ts';
import { checkNotShared, subscribersOfOthers } from '../../../../src/olm/run/run-objects.ts';

const subscription = (spec: object): KubeObject =>
  ({
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name: 'sub', namespace: 'web' },
    spec,
  }) as KubeObject;
const { catalog } = runNames('foo-bar', '');
const own = { catalog, packageName: 'foo-bar', namespace: 'web' };

test.each([
  ['another package by the same name of the catalogue', { name: 'foo.bar', source: catalog }, 1],
  ['the package itself', { name: 'foo-bar', source: catalog }, 0],
  ['a package of another catalogue', { name: 'foo.bar', source: 'others' }, 0],
  [
    'a package of the catalogue of another namespace',
    { name: 'foo.bar', source: catalog, sourceNamespace: 'olm' },
    0,
  ],
])('the catalogue is that of %s', (_, spec, count) => {
  expect(runNames('foo.bar', '').catalog).toBe(catalog);
  const all = [subscription({ sourceNamespace: 'web', ...spec })];
  expect(subscribersOfOthers(all, own)).toHaveLength(count);
  const check = () => checkNotShared(all, own);
  if (count === 0) expect(check).not.toThrow();
  else
    expect(check).toThrow(
      expect.objectContaining({
        code: 'olm/name-taken',
        message: expect.stringContaining('foo.bar is installed'),
      }),
    );
});
