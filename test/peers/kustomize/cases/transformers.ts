import type { RenderCase } from './case.ts';

const objects = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: n}
spec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: 'i:1', envFrom: [{configMapRef: {name: cm}}]}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, namespace: n}
data: {k: v}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: cert}
spec: {secretName: webhook-cert, dnsNames: [a]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects: [{kind: ServiceAccount, name: s, namespace: n}, {kind: ServiceAccount, name: default}, {kind: User, name: u}]
---
apiVersion: v1
kind: Namespace
metadata: {name: n}
`;

const names = 'fieldSpecs: [{path: metadata/name}]\n';
const own = (field: string): string => `fieldSpecs: [{path: metadata/${field}, create: true}]\n`;
const replacement =
  '- source: {kind: ConfigMap, fieldPath: data.k}\n  targets: [{select: {kind: Deployment}, fieldPaths: [spec.x], options: {create: true}}]\n';
const web = 'apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: n}';

const files = {
  'a.yaml': objects,
  'patch.yaml': `{${web}, spec: {replicas: 5}}\n`,
  'steps.json': '[{"op": "add", "path": "/spec/paused", "value": true}]',
  'replacements.yaml': replacement,
};

/** Transformers by kind: what each says beside its name. */
const transformers: Readonly<Record<string, readonly string[]>> = {
  LabelTransformer: [
    `labels: {x: "y"}\n${own('labels')}`,
    'labels: {x: z}\n',
    'labels: {x: z}\nfieldSpecs:\n- {path: spec/selector/matchLabels, create: true, kind: Deployment}\n- {path: spec/template/metadata/labels, group: apps}\n',
  ],
  AnnotationsTransformer: [`annotations: {x: "y"}\n${own('annotations')}`],
  NamespaceTransformer: [
    '',
    'unsetOnly: true\n',
    'setRoleBindingSubjects: none\n',
    'setRoleBindingSubjects: allServiceAccounts\n',
    'setRoleBindingSubjects: allServiceAccounts\nunsetOnly: true\n',
    'fieldSpecs: [{path: metadata/name, kind: Namespace, create: true}, {path: spec/ns, create: true, kind: Certificate}]\n',
  ],
  PrefixTransformer: [
    `prefix: p-\n${names}`,
    'prefix: p-\nfieldSpecs: [{path: metadata/name, kind: ConfigMap}]\n',
  ],
  SuffixTransformer: [`suffix: -s\n${names}`],
  PrefixSuffixTransformer: [
    `prefix: p-\nsuffix: -s\n${names}`,
    'prefix: shop-\nfieldSpecs: [{path: spec/secretName, kind: Certificate}]\n',
    names,
  ],
  PatchTransformer: [
    'target: {kind: Deployment}\npatch: |-\n  - op: replace\n    path: /spec/replicas\n    value: 3\n',
    `patch: "{${web}, spec: {replicas: 4}}"\n`,
    'path: patch.yaml\ntarget: {name: web}\n',
    'options: {allowNameChange: true}\ntarget: {kind: ConfigMap}\npatch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: new}}"\n',
    `patch: "{$patch: delete, ${web}}"\n`,
  ],
  PatchStrategicMergeTransformer: [
    'paths: [patch.yaml]\n',
    `paths:\n- |\n  {${web}, spec: {replicas: 5}}\npatches: |\n  {apiVersion: v1, kind: ConfigMap, metadata: {name: cm, namespace: n}, data: {z: x}}\n  ---\n  {${web}, spec: {paused: true}}\n`,
  ],
  PatchJson6902Transformer: [
    'target: {group: apps, version: v1, kind: Deployment, name: web}\njsonOp: |-\n  - {op: add, path: /spec/minReadySeconds, value: 010}\n',
    'target: {name: web}\npath: steps.json\n',
  ],
  ImageTagTransformer: [
    'imageTag: {name: i, newTag: v2}\n',
    'imageTag: {name: webhook-cert, newName: q}\nfieldSpecs: [{path: spec/secretName}]\n',
  ],
  ReplicaCountTransformer: [
    'replica: {name: web, count: 9}\nfieldSpecs: [{path: spec/replicas, create: true, kind: Deployment}]\n',
  ],
  ReplacementTransformer: [`replacements:\n${replacement}`, 'replacements: [{path: replacements.yaml}]\n'],
};

const plugin = (kind: string, text: string): string =>
  `apiVersion: builtin\nkind: ${kind}\nmetadata: {name: t, namespace: q}\n${text}`;

const inFiles = (name: string, kind: string, text: string): RenderCase => ({
  name: `${name} in a file`,
  kustomization: 'resources: [a.yaml]\ntransformers: [t.yaml]\n',
  files: { ...files, 't.yaml': plugin(kind, text) },
});

export const transformerCases: readonly RenderCase[] = [
  ...Object.entries(transformers).flatMap(([kind, texts]) =>
    texts.flatMap((text, index): readonly RenderCase[] => [
      inFiles(`${kind} ${index + 1}`, kind, text),
      {
        name: `${kind} ${index + 1} inline, behind the fields of the kustomization`,
        kustomization: `resources: [a.yaml]\nlabels: [{pairs: {k: v}}]\ntransformers:\n- |-\n  ${plugin(kind, text).trimEnd().replaceAll('\n', '\n  ')}\n`,
        files,
      },
    ]),
  ),
  {
    name: 'a transformer of a component, and one of the kustomization, inline ones first',
    kustomization: `resources: [a.yaml]\ncomponents: [part]\nnamePrefix: o-\ntransformers:\n- t.yaml\n- |\n  {apiVersion: builtin, kind: SuffixTransformer, metadata: {name: t}, suffix: -two, ${names.trim()}}\n`,
    files: {
      ...files,
      't.yaml': plugin('SuffixTransformer', `suffix: -three\n${names}`),
      'part/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [t.yaml]\n',
      'part/t.yaml': plugin('SuffixTransformer', `suffix: -one\n${names}`),
    },
  },
  {
    name: 'a HashTransformer beside a generator',
    kustomization:
      'resources: [a.yaml]\ntransformers: [t.yaml]\nconfigMapGenerator: [{name: g, literals: [a=b]}]\n',
    files: { ...files, 't.yaml': plugin('HashTransformer', '') },
  },
];
