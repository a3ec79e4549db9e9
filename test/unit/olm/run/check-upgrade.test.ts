import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { checkUpgrade } from '../../../../src/olm/run/check-run.ts';

const catalog = (labels: Readonly<Record<string, string>>, spec: object = {}): KubeObject =>
  ({
    apiVersion: 'a/v1',
    kind: 'CatalogSource',
    metadata: { name: 'web-catalog', labels },
    spec,
  }) as KubeObject;
const ours = catalog({ 'app.kubernetes.io/managed-by': 'op-sdk' });
const installed = { source: 'web-catalog', catalog: ours, csv: 'web.v1.2.0', version: '1.2.0' };

test.each([
  ['a later version', {}, '1.10.0', undefined],
  ['a release after its candidate', { version: '1.3.0-rc.1' }, '1.3.0', undefined],
  [
    'the catalogue of operator-sdk',
    { catalog: catalog({}, { publisher: 'operator-sdk' }) },
    '1.3.0',
    undefined,
  ],
  ['a catalogue that was deleted', { catalog: undefined }, '1.3.0', undefined],
  ['the same version', {}, '1.2.0', 'olm/not-newer'],
  ['an earlier version', {}, '1.2.0-rc.1', 'olm/not-newer'],
  ['a version that is still to come', { csv: '', version: '' }, '1.3.0', 'olm/not-installed-yet'],
  ['a catalogue of others', { source: 'theirs', catalog: catalog({}) }, '1.3.0', 'olm/foreign-catalog'],
  [
    'a catalogue of others, deleted',
    { source: 'theirs', catalog: undefined },
    '1.3.0',
    'olm/foreign-catalog',
  ],
  ['any catalogue', { source: '', catalog: undefined }, '1.3.0', 'olm/foreign-catalog'],
])('an upgrade of %s', (_what, changed, version, code) => {
  let said: string | undefined;
  try {
    checkUpgrade({ packageName: 'web', csv: `web.v${version}`, version }, { ...installed, ...changed });
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    said = error.code;
  }
  expect(said).toBe(code);
});
