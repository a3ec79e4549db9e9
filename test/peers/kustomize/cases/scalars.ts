import type { RefusalCase, RenderCase } from './case.ts';

/** Plain texts that YAML 1.1 and 1.2, or kustomize and Kubernetes' other tools, read differently. */
const words =
  'y Y yes Yes on On ON n No off Off true True FALSE 0777 0o17 1_000 0x1F 0b11 1e3 1.50 +1 .5 1:30 2001-12-14T21:59:43Z = ~';
const fields = words
  .split(' ')
  .map((word, index) => `  w${index}: ${word}\n`)
  .join('');
const head = 'apiVersion: x.io/v1\nkind: Custom\nmetadata:\n  name: a\n';

export const scalarCases: readonly RenderCase[] = [
  {
    name: 'plain words and numbers of a resource',
    kustomization: 'resources: [a.yaml]\n',
    files: { 'a.yaml': `${head}  labels: {on: y, off: n}\n  annotations: {y: on}\nspec:\n${fields}` },
  },
  {
    name: 'plain words and numbers of a patch',
    kustomization: 'resources: [a.yaml]\npatches: [{path: patch.yaml}]\n',
    files: { 'a.yaml': `${head}spec: {a: b}\n`, 'patch.yaml': `${head}spec:\n${fields}` },
  },
  {
    name: 'plain words and numbers of a JSON 6902 patch, which kustomize reads as kubectl does',
    kustomization: 'resources: [a.yaml]\npatches: [{target: {kind: Custom}, path: steps.yaml}]\n',
    files: {
      'a.yaml': `${head}spec: {a: b}\n`,
      'steps.yaml': `- op: replace\n  path: /spec\n  value:\n${fields.replace(/^(?=.)/gm, '  ')}    date: 2001-01-01\n    bytes: !!binary aGk=\n    0400: on\n`,
    },
  },
  {
    name: 'a step that has a field twice',
    kustomization: 'resources: [a.yaml]\npatches: [{target: {kind: Custom}, path: steps.yaml}]\n',
    files: {
      'a.yaml': `${head}spec: {a: b}\n`,
      'steps.yaml': '- op: add\n  path: /spec/b\n  path: /spec/c\n  value: 1\n',
    },
  },
  {
    name: 'plain words of a generator',
    kustomization: 'generators: [a.yaml]\n',
    files: {
      'a.yaml':
        'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nliterals: [y=on]\noptions: {labels: {on: y}, annotations: {off: n}}\n',
    },
  },
];

const ofResource = (
  name: string,
  text: string,
  refused: RefusalCase['refused'],
  kustomize: RefusalCase['kustomize'],
): RefusalCase => ({
  name,
  kustomization: 'resources: [a.yaml]\n',
  files: { 'a.yaml': text },
  refused,
  kustomize,
});

const renders = 'as a time, 2001-01-01T00:00:00Z, where kubectl reads a string';

export const scalarRefusals: readonly RefusalCase[] = [
  ofResource('a key that is a number', `${head}spec: {1: a}\n`, ['io/yaml-not-json'], 'refuses'),
  ofResource('a key that is null', `${head}spec: {null: a}\n`, ['io/yaml-not-json'], 'refuses'),
  ofResource(
    'a key of data that is null',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {~: a}\n',
    ['io/yaml-not-json'],
    'refuses',
  ),
  ofResource(
    'a word that is tagged as a boolean',
    `${head}spec: {a: !!bool y}\n`,
    ['io/yaml-syntax'],
    'refuses',
  ),
  ofResource('a date', `${head}spec: {a: 2001-01-01}\n`, ['io/yaml-ambiguous'], { renders }),
  {
    name: 'a date in a patch',
    kustomization: 'resources: [a.yaml]\npatches: [{path: patch.yaml}]\n',
    files: { 'a.yaml': `${head}spec: {a: b}\n`, 'patch.yaml': `${head}spec: {a: 2001-01-01}\n` },
    refused: ['io/yaml-ambiguous'],
    kustomize: { renders },
  },
];
