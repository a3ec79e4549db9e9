import type { RenderCase } from './case.ts';
import { settings } from './objects.ts';

/** A Deployment that refers to the ConfigMap `settings` and the Secret `pull`. */
const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      imagePullSecrets: [{name: pull}]
      containers:
      - name: web
        image: web
        envFrom: [{configMapRef: {name: settings}}, {configMapRef: {name: other}}]
        env:
        - {name: A, valueFrom: {configMapKeyRef: {name: settings, key: a}}}
        - {name: B, valueFrom: {secretKeyRef: {name: pull, key: b}}}
      volumes:
      - {name: a, configMap: {name: settings}}
      - {name: b, projected: {sources: [{secret: {name: pull}}, {configMap: {name: settings}}]}}
`;

const generate = (
  name: string,
  fields: string,
  files: Readonly<Record<string, string>> = {},
): RenderCase => ({
  name: `generators: ${name}`,
  kustomization: fields,
  files,
});

const contents: readonly RenderCase[] = [
  generate('literals', 'configMapGenerator:\n- name: settings\n  literals: [a=b, c=, "d=e=f", g.h_i-j=k]\n'),
  generate(
    'quotes around literals',
    `configMapGenerator:\n- name: settings\n  literals: ['a="b"', "c='d'", 'e="f', 'g="', "h=''", "i=\\"'j'\\"", 'k= "l"']\n`,
  ),
  generate('no content', 'configMapGenerator: [{name: settings}]\nsecretGenerator: [{name: pull}]\n'),
  generate(
    'files',
    'configMapGenerator:\n- name: settings\n  files: [a.txt, sub/b.txt, "c=a.txt", "c.d=./sub/../a.txt"]\n',
    {
      'a.txt': 'one\ntwo\n',
      'sub/b.txt': '  {"a": 1}',
    },
  ),
  generate(
    'an empty file',
    'configMapGenerator: [{name: settings, files: [a.txt]}]\nsecretGenerator: [{name: pull, files: [a.txt]}]\n',
    { 'a.txt': '' },
  ),
  generate('envs', 'configMapGenerator:\n- name: settings\n  envs: [a.env, b.env]\n  env: c.env\n', {
    'a.env': '# comment\n\nA=b\n  B = c \nC\nD="e"\n\tE=f=g\n=nothing\n',
    'b.env': 'F=1\r\nG=2\r\n',
    'c.env': '\ufeffH=3\nI=ü\n#J=4',
  }),
  generate(
    'all sources together',
    'configMapGenerator:\n- name: settings\n  files: [a.txt]\n  literals: [z=1]\n  envs: [a.env]\n',
    {
      'a.txt': 'text',
      'a.env': 'M=n\n',
    },
  ),
  generate(
    'texts that JSON and HTML mean',
    `configMapGenerator:
- name: settings
  literals: ['a=<b>&"c"', 'd=\\e', "f=\\u2028", 'g=🙂', 'h=\t', 'é=ü', '🙂=1', '\uffee=2']
`,
  ),
  generate(
    'control characters',
    'configMapGenerator:\n- name: settings\n  literals: ["a=\\u0001\\u0008\\u000c\\u001f"]\n',
  ),
  generate(
    'texts like numbers',
    'configMapGenerator:\n- name: settings\n  literals: [a=1, b=true, c=null, d=1.0, e=0x10, f=~, yes=x, "n=y"]\n',
  ),
  generate(
    'several lines',
    'configMapGenerator:\n- name: settings\n  literals:\n  - |\n    a=b\n      c\n\n    d\n',
  ),
  generate(
    'a key __proto__',
    'configMapGenerator:\n- name: settings\n  literals: [__proto__=a, constructor=b]\n',
  ),
  generate(
    'a namespace',
    'configMapGenerator:\n- {name: settings, namespace: system, literals: [a=b]}\n- {name: settings, literals: [a=b]}\n',
  ),
];

const secrets: readonly RenderCase[] = [
  generate('a Secret', 'secretGenerator:\n- name: pull\n  literals: [a=b, c=]\n'),
  generate(
    'the type of a Secret',
    'secretGenerator:\n- {name: pull, type: kubernetes.io/tls, files: [tls.crt, tls.key]}\n',
    {
      'tls.crt': 'certificate\n',
      'tls.key': 'key\n',
    },
  ),
  ...[51, 52, 53, 105, 106].map((length) =>
    generate(
      `a Secret of ${length} bytes`,
      `secretGenerator:\n- {name: pull, literals: [a=${'x'.repeat(length)}]}\n`,
    ),
  ),
  generate('envs of a Secret', 'secretGenerator:\n- {name: pull, envs: [a.env]}\n', {
    'a.env': 'A=b\nC=d\n',
  }),
];

const options: readonly RenderCase[] = [
  generate(
    'labels and annotations',
    'configMapGenerator:\n- name: settings\n  literals: [a=b]\n  options: {labels: {app: web}, annotations: {note: x}}\n',
  ),
  generate(
    'options of all generators',
    `generatorOptions: {labels: {app: all, team: x}, annotations: {note: all}, immutable: true}
configMapGenerator:
- {name: settings, literals: [a=b], options: {labels: {app: own}, annotations: {more: z}}}
secretGenerator:
- {name: pull, literals: [a=b]}
`,
  ),
  generate(
    'no hash for one',
    'configMapGenerator:\n- {name: settings, literals: [a=b], options: {disableNameSuffixHash: true}}\n- {name: other, literals: [a=b]}\n',
  ),
  generate(
    'no hash for all',
    'generatorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator:\n- {name: settings, literals: [a=b], options: {disableNameSuffixHash: false}}\n',
  ),
  generate(
    'immutable',
    'configMapGenerator:\n- {name: settings, literals: [a=b], options: {immutable: true}}\n',
  ),
  {
    name: 'generators: options are those of one kustomization only',
    kustomization:
      'resources: [base]\ngeneratorOptions: {labels: {a: outer}}\nconfigMapGenerator:\n- {name: other, literals: [a=b]}\n',
    files: { 'base/kustomization.yaml': 'configMapGenerator:\n- {name: settings, literals: [a=b]}\n' },
  },
];

const generators = `configMapGenerator:
- {name: settings, literals: [a=b]}
secretGenerator:
- {name: pull, literals: [b=c]}
`;

const references: readonly RenderCase[] = [
  generate('references', `resources: [web.yaml]\n${generators}`, { 'web.yaml': web }),
  generate(
    'references with prefix, suffix, namespace and labels',
    `resources: [web.yaml]\nnamePrefix: x-\nnameSuffix: -y\nnamespace: prod\ncommonLabels: {team: t}\ncommonAnnotations: {note: x}\n${generators}`,
    { 'web.yaml': web },
  ),
  generate('references from an outer kustomization', `resources: [base, web.yaml]\nnamePrefix: x-\n`, {
    'web.yaml': web,
    'base/kustomization.yaml': generators,
  }),
  generate(
    'a patch changes the hash',
    `resources: [base]\npatches:\n- patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: other, more: x}}'\n`,
    { 'base/kustomization.yaml': `resources: [web.yaml]\n${generators}`, 'base/web.yaml': web },
  ),
  generate(
    'patches that leave other data behind',
    `patches:
- target: {kind: ConfigMap}
  patch: '[{"op": "replace", "path": "/data", "value": {"i": 1, "f": 1.5, "b": true, "l": [1, "<"], "m": {"z": 1, "a": null}}}]'
- target: {kind: Secret}
  patch: '[{"op": "remove", "path": "/data/b"}, {"op": "add", "path": "/stringData", "value": {"s": "t"}}]'
${generators}`,
  ),
  generate(
    'replacements from and to generated objects',
    `resources: [web.yaml]
${generators}replacements:
- source: {kind: ConfigMap, name: settings, fieldPath: data.a}
  targets: [{select: {kind: Deployment}, fieldPaths: [metadata.name]}]
- source: {kind: Deployment, fieldPath: kind}
  targets: [{select: {kind: ConfigMap, name: settings}, fieldPaths: [data.kind], options: {create: true}}]
`,
    { 'web.yaml': web },
  ),
  generate('the same name in two namespaces', `resources: [a, b]\n`, {
    'a/kustomization.yaml': `namespace: a\nresources: [web.yaml]\n${generators}`,
    'a/web.yaml': web,
    'b/kustomization.yaml': `namespace: b\nresources: [web.yaml]\n${generators.replace('a=b', 'a=other')}`,
    'b/web.yaml': web,
  }),
];

const behaviors: readonly RenderCase[] = [
  ...['merge', 'replace'].flatMap((behavior) => [
    generate(
      `${behavior} in an outer kustomization`,
      `resources: [base]\nnameSuffix: -s\nconfigMapGenerator:\n- {name: settings, behavior: ${behavior}, literals: [a=new, n=m], options: {labels: {outer: x, both: outer}}}\n`,
      {
        'base/kustomization.yaml': `namePrefix: p-\nresources: [web.yaml]\nconfigMapGenerator:\n- {name: settings, literals: [a=b, c=d], options: {labels: {inner: x, both: inner}, annotations: {note: o}, immutable: true}}\n`,
        'base/web.yaml': web,
      },
    ),
    generate(
      `${behavior} with a resource`,
      `resources: [settings.yaml, web.yaml]\nconfigMapGenerator:\n- {name: settings, behavior: ${behavior}, literals: [n=m]}\n`,
      { 'settings.yaml': settings, 'web.yaml': web },
    ),
    generate(
      `${behavior} a Secret`,
      `resources: [base]\nsecretGenerator:\n- {name: pull, behavior: ${behavior}, literals: [n=m]}\n`,
      { 'base/kustomization.yaml': 'secretGenerator:\n- {name: pull, type: x.io/a, literals: [a=b]}\n' },
    ),
    generate(
      `${behavior} without a hash`,
      `resources: [base]\nconfigMapGenerator:\n- {name: settings, behavior: ${behavior}, literals: [n=m], options: {disableNameSuffixHash: true}}\n`,
      { 'base/kustomization.yaml': generators },
    ),
    generate(`${behavior} in a component`, `resources: [base]\ncomponents: [component]\n`, {
      'base/kustomization.yaml': generators,
      'component/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nconfigMapGenerator:\n- {name: settings, behavior: ${behavior}, literals: [n=m]}\n`,
    }),
  ]),
  generate(
    'merge in the namespace that the base has been given',
    `resources: [base]\nconfigMapGenerator:\n- {name: settings, namespace: prod, behavior: merge, literals: [n=m]}\n`,
    { 'base/kustomization.yaml': `namespace: prod\n${generators}` },
  ),
  generate(
    'create is the default',
    'configMapGenerator:\n- {name: settings, behavior: create, literals: [n=m]}\n- {name: settings, behavior: merge, literals: [o=p]}\n',
  ),
];

const own = 'apiVersion: builtin\nkind: ConfigMapGenerator\n';

const files: readonly RenderCase[] = [
  generate(
    'files of generators',
    'resources: [web.yaml]\ngeneratorOptions: {labels: {none: "one"}}\nnamePrefix: p-\ngenerators: [g.yaml]\n',
    {
      'web.yaml': web,
      'g.yaml': `${own}metadata: {name: settings, namespace: system}\nliterals: [a=b]\nfiles: [sub/a.txt]\noptions: {labels: {a: b}}\n---\napiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: pull}\nname: own\ntype: x.io/a\nliterals: [a=b]\n`,
      'sub/a.txt': 'text',
    },
  ),
  generate(
    'a generator in the kustomization',
    `configMapGenerator: [{name: settings, literals: [a=b]}]\ngenerators:\n- |\n  ${own.replaceAll('\n', '\n  ')}metadata: {name: settings}\n  behavior: merge\n  literals: [c=d]\n`,
  ),
  generate(
    'generators in the kustomization before those in files',
    `sortOptions: {order: fifo}\ngenerators:\n- g.yaml\n- |\n  ${own.replaceAll('\n', '\n  ')}metadata: {name: second}\n  literals: [c=d]\n`,
    { 'g.yaml': `${own}metadata: {name: first}\nliterals: [a=b]\n` },
  ),
];

export const generatorCases: readonly RenderCase[] = [
  ...contents,
  ...secrets,
  ...options,
  ...references,
  ...behaviors,
  ...files,
];
