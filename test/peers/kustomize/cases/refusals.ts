import type { RefusalCase } from './case.ts';
import { custom, deployment, service, settings } from './objects.ts';

const files = {
  'web.yaml': deployment,
  'service.yaml': service,
  'settings.yaml': settings,
  'custom.yaml': custom,
};
const resources = `resources: [${Object.keys(files).join(', ')}]\n`;
type Codes = RefusalCase['refused'];

/** Fields that both refuse. */
const both = (name: string, fields: string, ...refused: Codes): RefusalCase => ({
  name,
  kustomization: resources + fields,
  files,
  refused,
  kustomize: 'refuses',
});

/** Fields that kustomize renders, for a reason not to. */
const only = (name: string, renders: string, fields: string, ...refused: Codes): RefusalCase => ({
  name,
  kustomization: resources + fields,
  files,
  refused,
  kustomize: { renders },
});

const web = 'apiVersion: apps/v1, kind: Deployment, metadata: {name: web}';
const merge = (body: string): string => `patches:\n- patch: '{${web}, ${body}}'\n`;
const pods = (body: string): string => merge(`spec: {template: {spec: {${body}}}}`);
const steps = (list: string): string => `patches:\n- target: {kind: Deployment}\n  patch: '- ${list}'\n`;
const replace = (source: string, targets: string): string =>
  `replacements:\n- source: ${source}\n  targets: ${targets}\n`;
const from = '{kind: ConfigMap, fieldPath: data.a}';
const to = (path: string, options = '{}'): string =>
  replace(from, `[{select: {kind: Memcached}, fieldPaths: ['${path}'], options: ${options}}]`);

const mergePatches: readonly RefusalCase[] = [
  both(
    'a patch for nobody',
    "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: nobody}}'\n",
    'kustomize/no-target',
  ),
  both(
    'a patch for another namespace',
    "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: x}}'\n",
    'kustomize/no-target',
  ),
  both(
    'a patch for another version',
    "patches:\n- patch: '{apiVersion: apps/v1beta1, kind: Deployment, metadata: {name: web}}'\n",
    'kustomize/no-target',
  ),
  both(
    'a patch without a name',
    "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment}'\n",
    'kustomize/invalid-patch',
  ),
  both(
    'a patch that is text',
    'patches:\n- patch: just text\n  target: {kind: Deployment}\n',
    'kustomize/invalid-patch',
  ),
  both('a patch that is no YAML', "patches:\n- patch: '{'\n", 'io/yaml-syntax'),
  both(
    'a target for several objects',
    `patches:\n- target: {kind: Deployment}\n  patch: |-\n    {${web}}\n    ---\n    {${web}}\n`,
    'kustomize/invalid-patch',
  ),
  both('an unknown directive', merge('spec: {$patch: keep}'), 'kustomize/patch-failed'),
  both('a list where a mapping is', merge('spec: {selector: [a]}'), 'kustomize/patch-failed'),
  both('a mapping where text is', pods('serviceAccountName: {a: b}'), 'kustomize/patch-failed'),
  both('text where a list is', pods('containers: none'), 'kustomize/patch-failed'),
  only(
    '$retainKeys',
    'copies the directive into the object',
    merge('spec: {strategy: {$retainKeys: [type], type: Recreate}}'),
    'kustomize/patch-failed',
  ),
  only(
    '$setElementOrder',
    'copies the directive into the object',
    pods('$setElementOrder/containers: [{name: sidecar}, {name: manager}]'),
    'kustomize/patch-failed',
  ),
  only(
    '$deleteFromPrimitiveList',
    'copies the directive into the object',
    merge('metadata: {name: web, $deleteFromPrimitiveList/finalizers: [a]}').replace(
      'metadata: {name: web}, ',
      '',
    ),
    'kustomize/patch-failed',
  ),
  only(
    'a directive in a list that is replaced',
    'copies the directive into the object',
    pods('tolerations: [{$patch: delete, key: a}]'),
    'kustomize/patch-failed',
  ),
  only(
    'a directive for a list that is not there',
    'copies the directive into the object',
    pods('hostAliases: [{$patch: replace}, {ip: 127.0.0.1}]'),
    'kustomize/patch-failed',
  ),
  only(
    '$patch: replace for a whole object',
    'ignores it',
    merge('$patch: replace'),
    'kustomize/patch-failed',
  ),
  only(
    'items without their key',
    'loses other items',
    pods('containers: [{image: x}]'),
    'kustomize/patch-failed',
  ),
  {
    ...both(
      'an empty file of patchesStrategicMerge',
      'patchesStrategicMerge: [patch.yaml]\n',
      'kustomize/invalid-patch',
    ),
    files: { ...files, 'patch.yaml': '# nothing\n' },
  },
  {
    ...both(
      'a JSON patch in patchesStrategicMerge',
      'patchesStrategicMerge: [patch.yaml]\n',
      'kustomize/invalid-patch',
    ),
    files: { ...files, 'patch.yaml': '- {op: remove, path: /spec}\n' },
  },
  both(
    'a name that is no pattern',
    "patches:\n- target: {name: '('}\n  patch: '- {op: remove, path: /spec}'\n",
    'kustomize/invalid-selector',
  ),
  both(
    'labels that are no selector',
    "patches:\n- target: {labelSelector: 'a=b=c'}\n  patch: '- {op: remove, path: /spec}'\n",
    'kustomize/invalid-selector',
  ),
  both('neither patch nor path', 'patches:\n- target: {kind: Deployment}\n', 'kustomize/invalid-value'),
  both('a file that is not there', 'patches:\n- path: nothing.yaml\n', 'kustomize/missing-file'),
  only(
    'a number in the place of a text',
    'makes a text of it only if the resource has quotes',
    pods('serviceAccountName: 7'),
    'kustomize/patch-failed',
  ),
  {
    name: 'a kind that Kubernetes has dropped',
    kustomization:
      "resources: [job.yaml]\npatches:\n- patch: '{apiVersion: batch/v1beta1, kind: CronJob, metadata: {name: j}, spec: {suspend: true}}'\n",
    files: { 'job.yaml': 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: j}\n' },
    refused: ['kustomize/patch-failed'],
    kustomize: { renders: 'merges by the schemas of Kubernetes 1.21' },
  },
  both(
    'two resources of the same name by patches',
    "patches:\n- target: {kind: .*Map|Service}\n  options: {allowNameChange: true, allowKindChange: true}\n  patch: '{apiVersion: v1, kind: Same, metadata: {name: same}}'\n",
    'kustomize/duplicate-resource',
  ),
];

const jsonPatches: readonly RefusalCase[] = [
  both(
    'a JSON patch without a target',
    "patches:\n- patch: '- {op: remove, path: /spec}'\n",
    'kustomize/invalid-patch',
  ),
  both(
    'a step for a path that is not there',
    steps('{op: replace, path: /spec/none/x, value: 1}'),
    'kustomize/patch-failed',
  ),
  both('a removal of what is not there', steps('{op: remove, path: /spec/none}'), 'kustomize/patch-failed'),
  both(
    'an index behind the end',
    steps('{op: add, path: /spec/template/spec/containers/9, value: {}}'),
    'kustomize/patch-failed',
  ),
  both('a test that fails', steps('{op: test, path: /spec/replicas, value: 7}'), 'kustomize/patch-failed'),
  both(
    'a name where an index belongs',
    steps('{op: remove, path: /spec/template/spec/containers/manager}'),
    'kustomize/patch-failed',
  ),
  both('an unknown op', steps('{op: merge, path: /spec, value: {}}'), 'kustomize/invalid-patch'),
  both('a step without a path', steps('{op: remove}'), 'kustomize/invalid-patch'),
  both(
    'steps in YAML that begin with [',
    "patches:\n- target: {kind: Deployment}\n  patch: '[{op: remove, path: /spec/replicas}]'\n",
    'kustomize/invalid-patch',
  ),
  both(
    'patchesJson6902 with a merge patch',
    `patchesJson6902:\n- target: {kind: Deployment, name: web}\n  patch: '{${web}}'\n`,
    'kustomize/invalid-patch',
  ),
  only(
    'a path without a slash in front',
    'takes the first part away',
    steps('{op: remove, path: x/spec}'),
    'kustomize/invalid-patch',
  ),
  only('add without a value', 'sets null', steps('{op: add, path: /spec/x}'), 'kustomize/invalid-patch'),
  only(
    'a copy of what is not there',
    'sets null',
    steps('{op: copy, from: /spec/none, path: /spec/x}'),
    'kustomize/patch-failed',
  ),
];

const replacements: readonly RefusalCase[] = [
  both(
    'a source that is not there',
    replace('{kind: Secret}', '[{select: {kind: Service}}]'),
    'kustomize/no-target',
  ),
  both(
    'a source that means several',
    replace('{version: v1}', '[{select: {kind: Service}}]'),
    'kustomize/no-target',
  ),
  both(
    'a field of the source that is not there',
    replace('{kind: ConfigMap, fieldPath: data.x}', '[{select: {kind: Service}}]'),
    'kustomize/replacement-failed',
  ),
  both(
    'a part of the source that is not there',
    replace(
      '{kind: ConfigMap, fieldPath: data.host, options: {delimiter: ":", index: 2}}',
      '[{select: {kind: Service}}]',
    ),
    'kustomize/replacement-failed',
  ),
  both('a field of the target that is not there', to('spec.none'), 'kustomize/replacement-failed'),
  both('an item of the target that is not there', to('spec.items.7.name'), 'kustomize/replacement-failed'),
  both(
    'text for a number',
    replace('{kind: Service}', '[{select: {kind: Memcached}, fieldPaths: [spec.size]}]'),
    'kustomize/replacement-failed',
  ),
  both(
    'text for a truth value',
    replace('{kind: Service}', '[{select: {kind: Memcached}, fieldPaths: [spec.verbose]}]'),
    'kustomize/replacement-failed',
  ),
  both('a path through a number', to('spec.size.x'), 'kustomize/replacement-failed'),
  both('a part of a mapping', to('spec.template', '{delimiter: /}'), 'kustomize/replacement-failed'),
  both('no targets', `replacements:\n- source: ${from}\n`, 'kustomize/invalid-value'),
  both('no source', 'replacements:\n- targets: [{select: {kind: Service}}]\n', 'kustomize/invalid-value'),
  both('a target without select', replace(from, '[{fieldPaths: [a]}]'), 'kustomize/invalid-value'),
  both(
    'an unknown option',
    replace(from, '[{select: {kind: Service}, options: {delimitre: "-"}}]'),
    'kustomize/unknown-field',
  ),
  only(
    'encoding',
    'ignores the option',
    to('spec.items.0.name', '{encoding: base64}'),
    'kustomize/invalid-value',
  ),
  only(
    'a list or mapping for text',
    'sets an empty text',
    replace(
      '{kind: Deployment, fieldPath: spec.selector}',
      '[{select: {kind: ConfigMap}, fieldPaths: [data.a]}]',
    ),
    'kustomize/replacement-failed',
  ),
  {
    name: 'a path into a text',
    kustomization: `resources: [settings.yaml, other.yaml]\nreplacements:\n- source: {name: settings, fieldPath: data.a}\n  targets: [{select: {name: other}, fieldPaths: [data.json.x]}]\n`,
    files: {
      ...files,
      'other.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {json: \'{"x": "a"}\'}\n',
    },
    refused: ['kustomize/replacement-failed'],
    kustomize: { renders: 'changes JSON and YAML inside texts' },
  },
  {
    name: 'a new field from a text that looks like a date',
    kustomization: `resources: [settings.yaml, custom.yaml]\nreplacements:\n- source: {kind: ConfigMap, fieldPath: data.a}\n  targets: [{select: {kind: Memcached}, fieldPaths: [spec.day], options: {create: true}}]\n`,
    files: {
      ...files,
      'settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "2001-01-01"}\n',
    },
    refused: ['kustomize/replacement-failed'],
    kustomize: { renders: 'makes a time of it' },
  },
];

const fields: readonly RefusalCase[] = [
  only(
    'configMapGenerator',
    'generates',
    'configMapGenerator:\n- {name: a, literals: [a=b]}\n',
    'kustomize/unsupported-field',
  ),
  only(
    'secretGenerator',
    'generates',
    'secretGenerator:\n- {name: a, literals: [a=b]}\n',
    'kustomize/unsupported-field',
  ),
  only(
    'vars',
    'replaces variables',
    'vars:\n- {name: A, objref: {apiVersion: v1, kind: Service, name: web}}\n',
    'kustomize/unsupported-field',
  ),
  only(
    'buildMetadata',
    'adds annotations',
    'buildMetadata: [originAnnotations]\n',
    'kustomize/unsupported-field',
  ),
  {
    name: 'configurations',
    kustomization: `${resources}configurations: [config.yaml]\n`,
    files: { ...files, 'config.yaml': 'namePrefix: []\n' },
    refused: ['kustomize/unsupported-field'],
    kustomize: { renders: 'changes its transformers' },
  },
  {
    name: 'crds',
    kustomization: `${resources}crds: [crd.json]\n`,
    files: { ...files, 'crd.json': '{}' },
    refused: ['kustomize/unsupported-field'],
    kustomize: { renders: 'reads schemas' },
  },
  both('helmCharts', 'helmCharts:\n- {name: a}\n', 'kustomize/unsupported-field'),
  both('generators', 'generators: [a.yaml]\n', 'kustomize/unsupported-field'),
  both('transformers', 'transformers: [a.yaml]\n', 'kustomize/unsupported-field'),
  both('validators', 'validators: [a.yaml]\n', 'kustomize/unsupported-field'),
  both('openapi', 'openapi: {path: a.json}\n', 'kustomize/unsupported-field'),
  both('an unknown field', 'namePrefx: a-\n', 'kustomize/unknown-field'),
  both('a field of the wrong type', 'namePrefix: [a]\n', 'kustomize/invalid-value'),
  both('replicas for nobody', 'replicas:\n- {name: nobody, count: 1}\n', 'kustomize/no-target'),
  { name: 'an empty kustomization', kustomization: '', refused: ['kustomize/empty'], kustomize: 'refuses' },
  {
    name: 'a file that is not there',
    kustomization: 'resources: [nothing.yaml]\n',
    refused: ['kustomize/missing-file'],
    kustomize: 'refuses',
  },
  {
    name: 'a folder without a kustomization',
    kustomization: 'resources: [sub]\n',
    files: { 'sub/a.txt': '' },
    refused: ['kustomize/no-kustomization'],
    kustomize: 'refuses',
  },
  {
    name: 'a cycle',
    kustomization: 'resources: [../b]\n',
    files: { '../b/kustomization.yaml': 'resources: [../app]\n' },
    refused: ['kustomize/cycle'],
    kustomize: 'refuses',
  },
  { name: 'itself', kustomization: 'resources: [.]\n', refused: ['kustomize/cycle'], kustomize: 'refuses' },
  {
    name: 'a file outside',
    kustomization: 'resources: [../a.yaml]\n',
    files: { '../a.yaml': settings },
    refused: ['kustomize/outside-root'],
    kustomize: 'refuses',
  },
  {
    name: 'the same resource twice',
    kustomization: 'resources: [a.yaml, b.yaml]\n',
    files: { 'a.yaml': settings, 'b.yaml': settings },
    refused: ['kustomize/duplicate-resource'],
    kustomize: 'refuses',
  },
  {
    name: 'no object',
    kustomization: 'resources: [a.yaml]\n',
    files: { 'a.yaml': 'a: b\n' },
    refused: ['io/not-an-object'],
    kustomize: 'refuses',
  },
];

const binding = (subjects: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: b, namespace: team}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects: [${subjects}]
`;
const accounts: readonly RefusalCase[] = [
  ['', 'a ServiceAccount with a blank namespace, though no name changes'],
  ['null', 'a ServiceAccount whose namespace is null'],
  ['5', 'a ServiceAccount whose namespace is a number'],
].map(([namespace = '', name = '']) => ({
  name,
  kustomization: `resources: [b.yaml]\n${namespace === '' ? '' : 'namePrefix: x-\n'}`,
  files: { 'b.yaml': binding(`{kind: ServiceAccount, name: a, namespace: ${namespace} }`) },
  refused: ['kustomize/unexpected-shape'],
  kustomize: 'refuses',
}));

export const refusalCases: readonly RefusalCase[] = [
  ...mergePatches,
  ...jsonPatches,
  ...replacements,
  ...fields,
  ...accounts,
];
