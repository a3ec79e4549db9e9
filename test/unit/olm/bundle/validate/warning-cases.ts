import { addObject, bundleKey } from './bundle-folder.ts';
import { dockerfile, field, owned, type Case } from './cases.ts';

/** What does not fail. */
export const warnings: readonly Case[] = [
  ['no minKubeVersion', 'bundle/no-min-kube-version', 'spec:', (b) => delete b.csv.spec.minKubeVersion],
  ['no examples', 'bundle/no-example', 'annotations', (b) => (b.csv.metadata.annotations = {})],
  [
    'no example of a kind',
    'bundle/no-example',
    'kind: Site',
    (b) => (b.csv.metadata.annotations['alm-examples'] = '[]'),
  ],
  [
    'examples twice',
    'bundle/two-examples',
    'olm.examples',
    (b) => (b.csv.metadata.annotations['olm.examples'] = '[]'),
  ],
  [
    'olm.properties',
    'bundle/properties-annotation',
    'olm.properties',
    (b) => (b.csv.metadata.annotations['olm.properties'] = '[]'),
  ],
  ['an unknown field', 'bundle/unknown-field', 'displayNam:', (b) => (b.csv.spec.displayNam = 'x')],
  [
    'an unknown field of a schema',
    'crd/unknown-field',
    'minLenght',
    (b) => field(b, 'a', { type: 'string', minLenght: 1 }),
  ],
  ['no deployment', 'bundle/no-deployment', 'deployments', (b) => (b.csv.spec.install.spec.deployments = [])],
  [
    'two documents in a file',
    'bundle/several-documents',
    '',
    (b) =>
      (b.files['manifests/a.yaml'] = ['a', 'b']
        .map((name) => `---\napiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n`)
        .join('')),
  ],
  [
    'a label that differs',
    'bundle/labels-differ',
    'LABEL',
    (b) => (b.files['bundle.Dockerfile'] = dockerfile(b, 'stable', 'fast')),
  ],
  [
    'a label that is missing',
    'bundle/labels-differ',
    'channels',
    (b) => (b.files['bundle.Dockerfile'] = dockerfile(b, /LABEL \S+channels\S+\n/, '')),
  ],
  [
    'a label too many',
    'bundle/labels-differ',
    'other',
    (b) => (b.files['bundle.Dockerfile'] = `${dockerfile(b)}LABEL ${bundleKey('other')}=1\n`),
  ],
  [
    'the group of another',
    'bundle/kind-not-supported',
    'apiVersion: serving',
    (b) => addObject(b, 'serving.knative.dev/v1', 'Service', { name: 'a' }),
  ],
  [
    'a ClusterServiceVersion of another version',
    'bundle/kind-not-supported',
    'apiVersion: operators.coreos.com/v1',
    (b) => (b.csv.apiVersion = 'operators.coreos.com/v1'),
  ],
  [
    'a ClusterServiceVersion of another group',
    'bundle/kind-not-supported',
    'apiVersion: v1alpha1',
    (b) => (b.csv.apiVersion = 'v1alpha1'),
  ],
  [
    'a descriptor with an empty path',
    'bundle/missing-field',
    'path:',
    (b) => (owned(b)[0].specDescriptors = [{ path: '', displayName: 'x' }]),
  ],
  ['a number as display name', 'bundle/invalid-field', 'displayName: 5', (b) => (b.csv.spec.displayName = 5)],
  [
    'dependencies that cannot be read',
    'io/yaml-syntax',
    '',
    (b) => (b.files['metadata/dependencies.yaml'] = 'dependencies: [\n'),
  ],
  [
    'an object twice',
    'bundle/duplicate-object',
    'name: a',
    (b) => {
      addObject(b, 'v1', 'Service', { name: 'a' });
      addObject(b, 'v1', 'Service', { name: 'a' });
    },
  ],
  [
    'dependencies of every type, which OLM v0 takes',
    'bundle/not-for-olm-v1',
    'dependencies:',
    (b) =>
      (b.files['metadata/dependencies.yaml'] = {
        dependencies: [
          { type: 'olm.gvk', value: { group: 'a.b', version: 'v1', kind: 'C' } },
          { type: 'olm.package', value: { packageName: 'a', version: '>=1.2.0 <2.0.0 || 3.x' } },
          { type: 'olm.label', value: { label: 'a' } },
          { type: 'olm.constraint', value: { failureMessage: 'x', cel: { rule: 'true' } } },
        ],
      }),
  ],
  [
    'a bundle for some namespaces only',
    'bundle/not-for-olm-v1',
    'installModes:',
    (b) => (b.csv.spec.installModes = [{ type: 'OwnNamespace', supported: true }]),
  ],
  [
    'a required kind of another operator',
    'bundle/not-for-olm-v1',
    'required:',
    (b) => (b.csv.spec.customresourcedefinitions.required = [{ name: 'as.b.c', version: 'v1', kind: 'A' }]),
  ],
  [
    'a property that asks for a package',
    'bundle/not-for-olm-v1',
    'olm.package.required',
    (b) =>
      (b.files['metadata/properties.yaml'] = {
        properties: [
          { type: 'a', value: 1 },
          { type: 'olm.package.required', value: { packageName: 'a' } },
        ],
      }),
  ],
  [
    'a NUL in the description',
    'bundle/hidden-character',
    'description',
    (b) => (b.csv.spec.description = 'a\u0000b'),
  ],
  [
    'a mark that reverses text',
    'bundle/hidden-character',
    'displayName',
    (b) => (b.csv.spec.displayName = 'a\u202eb'),
  ],
];
