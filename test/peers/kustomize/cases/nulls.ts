import type { RenderCase } from './case.ts';

const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n';
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';

/** Objects with fields that say nothing, written in many ways. */
const objects: Readonly<Record<string, string>> = {
  'nothing, null and ~': 'spec:\n  a:\n  b: null\n  c: ~\n  d: Null\n',
  'mappings that become empty':
    'spec:\n  template:\n    spec:\n      securityContext:\n        runAsUser:\n      affinity:\n        nodeAffinity:\n          preferred:\n          required:\n',
  'items of lists':
    'spec:\n  template:\n    spec:\n      containers:\n      - name: c\n        image:\n        command: null\n        args:\n        -\n        - null\n        - x\n        resources:\n          limits:\n      tolerations:\n      -\n      - null\n      - key:\n',
  'merge keys of items':
    'spec:\n  template:\n    spec:\n      containers:\n      - name: c\n        ports:\n        - containerPort: 80\n          protocol:\n        - containerPort: 81\n          name:\n',
  'mappings in braces': 'spec: {a: , b: null, c: [{d: }, {e}], f: {g: }}\n',
  'mappings in braces within others':
    'spec:\n  f: {a: , b}\n  g:\n  h: [{i: }]\n  j: {\n    k: ,\n    l:\n  }\n  "m": {"n":, "o": null}\n',
  'labels and annotations':
    '  labels:\n    x:\n    y: null\n  annotations:\n    p:\n    q: null\nspec:\n  a: b\n',
  'labels and annotations in braces':
    '  labels: {x: , y: null}\n  annotations: {p: , q: null, u: ~}\nspec: {a: b}\n',
  'numbers and booleans':
    '  labels: {a: 1, b: true}\n  annotations: {r: 1.0, s: 0x10, t: true, u: 1e3}\nspec: {a: b}\n',
  'metadata without anything':
    '  labels:\n  annotations:\n  namespace:\nspec:\n  selector:\n    matchLabels:\n',
  tags: 'spec:\n  a: !!null\n  b: !!null null\n  c: !!str\n',
  'anchors and merges':
    'spec:\n  a: &x\n    k:\n    l: null\n  b:\n    <<: *x\n    m: 1\n  c: &y {d: }\n  e: *y\n  f: &z\n  g: *z\n',
  comments: 'spec:\n  a: # nothing\n  b:\n    # nothing\n  c: 1\n',
};

const patches: Readonly<Record<string, string>> = {
  'a field without text': 'spec:\n  replicas:\n',
  'fields without text in braces': 'spec: {replicas: , paused: true}\n',
  'a new mapping': 'spec: {strategy: {type: , rollingUpdate: {maxSurge: }}}\n',
  'new and known items':
    'spec:\n  template:\n    spec:\n      containers:\n      - name: c\n        image:\n      - name: d\n        image:\n        command: null\n',
  'a replaced mapping':
    'spec:\n  template:\n    spec:\n      $patch: replace\n      hostname:\n      containers: [{name: e, image: }]\n',
};

const kinds = {
  'as it is': '',
  'under a merge patch':
    'patches: [{patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 2}}"}]\n',
  'under a JSON 6902 patch':
    'patches: [{target: {kind: Deployment}, patch: "- {op: add, path: /spec/x, value: 1}"}]\n',
  'under labels, annotations and a namespace':
    'labels: [{pairs: {x: v}}]\ncommonAnnotations: {p: w}\nnamespace: q\nnamePrefix: p-\n',
};

const generator = (behavior: string): string => `{name: a, behavior: ${behavior}, literals: [k=v]}`;

export const nullCases: readonly RenderCase[] = [
  ...Object.entries(objects).flatMap(([name, text]) =>
    Object.entries(kinds).map(([how, fields]) => ({
      name: `an object ${how}: ${name}`,
      kustomization: `resources: [a.yaml]\n${fields}`,
      files: { 'a.yaml': deployment + text },
    })),
  ),
  ...Object.entries(patches).map(([name, text]) => ({
    name: `a merge patch with ${name}`,
    kustomization: 'resources: [a.yaml]\npatches: [{path: patch.yaml}]\n',
    files: {
      'a.yaml': `${deployment}spec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: c\n        image: i\n`,
      'patch.yaml': deployment + text,
    },
  })),
  {
    name: 'a merge patch with annotations that are numbers',
    kustomization: 'resources: [a.yaml]\npatches: [{path: patch.yaml}]\n',
    files: {
      'a.yaml': `${configMap}data: {a: b}\n`,
      'patch.yaml': `${configMap}  annotations: {a: 1.0, b: true}\n`,
    },
  },
  ...Object.entries({
    lines: '\n    a: null\n    b: Null\n    c: ~\n    d:\n    e: "null"\n    g: null\n',
    braces: ' {"a":null,"b":Null,"c":~,"d":,"e":"null","g":null}\n',
  }).map(([form, fields]) => ({
    name: `a merge patch with annotations that are null in ${form}`,
    kustomization: 'resources: [a.yaml]\npatches: [{path: patch.yaml}]\n',
    files: {
      'a.yaml': `${configMap}  annotations: {a: x, b: x, c: x, d: x, e: x, f: x}\ndata: {a: b}\n`,
      'patch.yaml': `${configMap}  annotations:${fields}`,
    },
  })),
  {
    name: 'selectors for labels and annotations that are numbers',
    kustomization:
      'resources: [a.yaml]\npatches: [{target: {annotationSelector: a=1, labelSelector: l=2}, patch: "- {op: add, path: /data, value: {x: z}}"}]\n',
    files: { 'a.yaml': `${configMap}  labels: {l: 2}\n  annotations: {a: 1}\n` },
  },
  {
    name: 'a replacement by an annotation that is a number',
    kustomization:
      'resources: [a.yaml]\nreplacements: [{source: {kind: ConfigMap, fieldPath: metadata.annotations.a}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.x]}]}]\n',
    files: { 'a.yaml': `${configMap}  annotations: {a: 1.50}\ndata: {x: "q"}\n` },
  },
  {
    name: 'annotations that are numbers in a List',
    kustomization: 'resources: [a.yaml]\n',
    files: {
      'a.yaml':
        'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a, annotations: {n: 0x1F}}\n  data: {a: }\n',
    },
  },
  {
    name: 'a generator beside an object with fields without text',
    kustomization: `resources: [a.yaml]\nconfigMapGenerator: [${generator('merge')}]\n`,
    files: {
      'a.yaml': `${configMap}  labels: {m: }\n  annotations: {n: 1.0, m: }\ndata:\n  x:\n  y: null\n`,
    },
  },
  ...['add', 'Merge', 'unspecified'].map((behavior) => ({
    name: `generators whose behavior is ${behavior}`,
    kustomization: `configMapGenerator: [${generator(behavior)}]\nsecretGenerator: [${generator(behavior)}]\n`,
  })),
];
