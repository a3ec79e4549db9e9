import { push, owned, type Case } from './cases.ts';
import type { Loose } from '../objects.ts';

/** Owned kinds, and what a ClusterServiceVersion says of itself. */
export const csvCases: readonly Case[] = [
  // Owned kinds
  [
    'an owned kind without CRD',
    'bundle/owned-crd-missing',
    'kind: Site',
    (b) => {
      b.crd = undefined;
    },
  ],
  [
    'a CRD that is not owned',
    'bundle/crd-not-owned',
    'name: v1',
    (b) => {
      b.csv.spec.customresourcedefinitions = {};
      b.csv.metadata.annotations['alm-examples'] = '[]';
    },
  ],
  ['a CRD twice', 'bundle/duplicate-crd', 'name: sites', (b) => (b.files['manifests/d.yaml'] = b.crd)],
  [
    'the name of an owned kind',
    'bundle/invalid-crd-name',
    'name: sites',
    (b) => push(owned(b), { name: 'sites', version: 'v1', kind: 'Site' }),
  ],
  // The CSV
  ['no displayName', 'bundle/missing-field', 'spec:', (b) => delete b.csv.spec.displayName],
  ['an empty displayName', 'bundle/missing-field', 'displayName', (b) => (b.csv.spec.displayName = '')],
  ['no version', 'bundle/missing-field', 'spec:', (b) => delete b.csv.spec.version],
  [
    'no verbs',
    'bundle/missing-field',
    'apiGroups',
    (b) => delete b.csv.spec.install.spec.clusterPermissions[0].rules[0].verbs,
  ],
  [
    'maintainers that are no list',
    'bundle/invalid-field',
    'maintainers',
    (b) => (b.csv.spec.maintainers = 'me'),
  ],
  ['a number as version', 'bundle/invalid-field', 'version: 1', (b) => (b.csv.spec.version = 1.5)],
  [
    'a number as minKubeVersion',
    'bundle/invalid-version',
    'minKubeVersion',
    (b) => (b.csv.spec.minKubeVersion = 1.32),
  ],
  ['a strategy', 'bundle/invalid-field', 'strategy', (b) => (b.csv.spec.install.strategy = 'helm')],
  ['a version with v', 'bundle/invalid-version', 'version: v', (b) => (b.csv.spec.version = 'v0.1.0')],
  [
    'minKubeVersion of two numbers',
    'bundle/invalid-version',
    'minKube',
    (b) => (b.csv.spec.minKubeVersion = '1.32'),
  ],
  [
    'a release',
    'bundle/invalid-version',
    'release',
    (b) => {
      b.csv.spec.release = '1_2';
      b.csv.metadata.name = 'web-operator-v0.1.0-1_2';
    },
  ],
  ['the name without the release', 'bundle/release-name', 'name: web', (b) => (b.csv.spec.release = '1')],
  ['a long name', 'bundle/invalid-csv-name', 'name: a', (b) => (b.csv.metadata.name = 'a'.repeat(64))],
  ['a replaces that is no name', 'bundle/invalid-csv-name', 'replaces', (b) => (b.csv.spec.replaces = 'A b')],
  [
    'the case of an annotation',
    'bundle/annotation-case',
    'olm.skiprange',
    (b) => (b.csv.metadata.annotations['olm.skiprange'] = '<1.0.0'),
  ],
  [
    'an image with a scheme',
    'bundle/invalid-image',
    'oci://',
    (b) => (b.csv.spec.relatedImages = [{ name: 'a', image: 'oci://a/b' }]),
  ],
  [
    'a related image without image',
    'bundle/invalid-image',
    'name: a',
    (b) => (b.csv.spec.relatedImages = [{ name: 'a' }]),
  ],
  [
    'examples that are no JSON',
    'bundle/invalid-example',
    'alm-examples',
    (b) => (b.csv.metadata.annotations['alm-examples'] = '[{]'),
  ],
  [
    'examples that are no list',
    'bundle/invalid-example',
    'alm-examples',
    (b) => (b.csv.metadata.annotations['alm-examples'] = '{}'),
  ],
  [
    'an example of another kind',
    'bundle/example-without-api',
    'alm-examples',
    (b) =>
      (b.csv.metadata.annotations['alm-examples'] =
        '[{"apiVersion":"example.com/v1","kind":"Site"},{"apiVersion":"v1","kind":"Pod"}]'),
  ],
  ['no install modes', 'bundle/install-modes', 'spec:', (b) => delete b.csv.spec.installModes],
  [
    'no supported install mode',
    'bundle/install-modes',
    'installModes',
    (b) => (b.csv.spec.installModes[0].supported = false),
  ],
  [
    'an install mode twice',
    'bundle/install-modes',
    'type: All',
    (b) => push(b.csv.spec.installModes, { type: 'AllNamespaces', supported: true }),
  ],
  [
    'an unknown install mode',
    'bundle/install-modes',
    'type: Some',
    (b) => push(b.csv.spec.installModes, { type: 'SomeNamespaces', supported: false }),
  ],
  [
    'an icon that is not base64',
    'bundle/invalid-icon',
    'base64data',
    (b) => (b.csv.spec.icon = [{ base64data: 'data:image/png;base64,AAAA', mediatype: 'image/png' }]),
  ],
  [
    'an icon of another format',
    'bundle/invalid-icon',
    'base64data',
    (b) => (b.csv.spec.icon = [icon('GIF89a', 'image/png')]),
  ],
  [
    'an icon with a script',
    'bundle/script',
    'base64data',
    (b) => (b.csv.spec.icon = [icon('<svg onload="alert(1)"/>', 'image/svg+xml')]),
  ],
  [
    'a description with a script',
    'bundle/script',
    'description',
    (b) => (b.csv.spec.description = 'a [b](javascript:alert(1)) c'),
  ],
];

function icon(content: string, mediatype: string): Loose {
  return { base64data: Buffer.from(content).toString('base64'), mediatype };
}
