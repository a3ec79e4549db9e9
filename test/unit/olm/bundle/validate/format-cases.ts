import type { Loose } from '../objects.ts';
import { addObject, bundleKey } from './bundle-folder.ts';
import { dependency, type Case } from './cases.ts';

const budget = (bundle: Loose, spec: Loose): void => {
  bundle.files['manifests/budget.yaml'] = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'a' },
    spec,
  };
};

/** Folders, annotations and objects. */
export const formatCases: readonly Case[] = [
  // Format
  [
    'without annotations',
    'bundle/no-annotations',
    '',
    (b) => {
      b.annotations = undefined;
      b.files['metadata/other.yaml'] = { a: 1 };
    },
  ],
  [
    'no package',
    'bundle/missing-annotation',
    'annotations:',
    (b) => delete b.annotations[bundleKey('package.v1')],
  ],
  [
    'no channels',
    'bundle/missing-annotation',
    'annotations:',
    (b) => delete b.annotations[bundleKey('channels.v1')],
  ],
  [
    'media type',
    'bundle/invalid-annotation',
    'mediatype',
    (b) => (b.annotations[bundleKey('mediatype.v1')] = 'helm+v1'),
  ],
  [
    'manifests elsewhere',
    'bundle/invalid-annotation',
    'manifests.v1',
    (b) => (b.annotations[bundleKey('manifests.v1')] = 'x/'),
  ],
  [
    'package name',
    'bundle/invalid-annotation',
    'package.v1',
    (b) => (b.annotations[bundleKey('package.v1')] = 'My Operator'),
  ],
  [
    'a blank in channels',
    'bundle/invalid-annotation',
    'channels.v1',
    (b) => (b.annotations[bundleKey('channels.v1')] = 'a, b'),
  ],
  [
    'empty channels',
    'bundle/invalid-annotation',
    'channels.v1',
    (b) => (b.annotations[bundleKey('channels.v1')] = ''),
  ],
  [
    'empty default channel',
    'bundle/invalid-annotation',
    'default',
    (b) => (b.annotations[bundleKey('channel.default.v1')] = ''),
  ],
  [
    'a kind without version',
    'bundle/invalid-dependency',
    'value:',
    (b) => dependency(b, 'olm.gvk', { group: 'a.b', kind: 'C' }),
  ],
  [
    'a package without range',
    'bundle/invalid-dependency',
    'version:',
    (b) => dependency(b, 'olm.package', { packageName: 'a', version: 'latest' }),
  ],
  ['a label without text', 'bundle/invalid-dependency', 'value:', (b) => dependency(b, 'olm.label', {})],
  [
    'a constraint without rule',
    'bundle/invalid-dependency',
    'value:',
    (b) => dependency(b, 'olm.constraint', { cel: {} }),
  ],
  ['an unknown dependency', 'bundle/invalid-dependency', 'type:', (b) => dependency(b, 'olm.other', {})],
  [
    'dependencies that are no list',
    'bundle/invalid-dependency',
    'dependencies:',
    (b) => (b.files['metadata/dependencies.yaml'] = { dependencies: {} }),
  ],
  [
    'a property without value',
    'bundle/invalid-property',
    'type: a',
    (b) => (b.files['metadata/properties.yaml'] = { properties: [{ type: 'a' }] }),
  ],
  ['an empty file', 'bundle/not-a-manifest', '', (b) => (b.files['manifests/a.yaml'] = '')],
  ['a hidden file', 'bundle/unexpected-file', '', (b) => (b.files['manifests/.keep'] = '')],
  [
    'a folder in manifests',
    'bundle/unexpected-file',
    '',
    (b) => (b.files['manifests/more.yaml/a.yaml'] = ''),
  ],
  // Objects
  [
    'a Deployment as file',
    'bundle/kind-not-supported',
    'kind: Deployment',
    (b) => addObject(b, 'apps/v1', 'Deployment', { name: 'a' }),
  ],
  [
    'a namespace',
    'bundle/namespaced-object',
    'namespace: b',
    (b) => addObject(b, 'v1', 'Service', { name: 'a', namespace: 'b' }),
  ],
  ['no name', 'io/not-an-object', 'metadata:', (b) => addObject(b, 'v1', 'Service', {})],
  ['no kind', 'io/not-an-object', 'apiVersion', (b) => (b.files['manifests/a.yaml'] = { apiVersion: 'v1' })],
  [
    'a name with capitals',
    'bundle/invalid-metadata',
    'name: A',
    (b) => addObject(b, 'v1', 'Service', { name: 'A' }),
  ],
  [
    'a slash in the name of a role',
    'bundle/invalid-metadata',
    'name: a/b',
    (b) => addObject(b, 'rbac.authorization.k8s.io/v1', 'Role', { name: 'a/b' }),
  ],
  [
    'a label value',
    'bundle/invalid-metadata',
    'x: a b',
    (b) => addObject(b, 'v1', 'Service', { name: 'a', labels: { x: 'a b' } }),
  ],
  [
    'a label key',
    'bundle/invalid-metadata',
    'a/b/c',
    (b) => addObject(b, 'v1', 'Service', { name: 'a', labels: { 'a/b/c': '' } }),
  ],
  [
    'an annotation that is no text',
    'bundle/invalid-metadata',
    'x: 1',
    (b) => addObject(b, 'v1', 'Service', { name: 'a', annotations: { x: 1 } }),
  ],
  [
    'annotations without end',
    'bundle/invalid-metadata',
    'annotations:',
    (b) => addObject(b, 'v1', 'Service', { name: 'a', annotations: { x: 'a'.repeat(257 * 1024) } }),
  ],
  [
    'a finalizer',
    'bundle/invalid-metadata',
    '- a b',
    (b) => addObject(b, 'v1', 'Service', { name: 'a', finalizers: ['a b'] }),
  ],
  [
    'an object without apiVersion',
    'io/not-an-object',
    'kind: ClusterRole',
    (b) => (b.files['manifests/a.yaml'] = { kind: 'ClusterRole', metadata: { name: 'a' }, rules: [] }),
  ],
  [
    'an object of a version that is gone',
    'bundle/removed-api',
    'apiVersion: policy',
    (b) => addObject(b, 'policy/v1beta1', 'PodDisruptionBudget', { name: 'a' }),
  ],
  [
    'a budget of more than everything',
    'bundle/disruption-budget',
    'minAvailable',
    (b) => budget(b, { minAvailable: '150%' }),
  ],
  [
    'a budget of nothing',
    'bundle/disruption-budget',
    'maxUnavailable',
    (b) => budget(b, { maxUnavailable: '0%' }),
  ],
  [
    'a budget of both',
    'bundle/disruption-budget',
    'spec:',
    (b) => budget(b, { maxUnavailable: 1, minAvailable: 1 }),
  ],
  ['no CSV', 'bundle/no-csv', '', (b) => (b.csv = undefined)],
  ['two CSVs', 'bundle/several-csvs', 'kind:', (b) => (b.files['manifests/d.yaml'] = b.csv)],
];
