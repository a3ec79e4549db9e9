import type { RenderCase } from './case.ts';

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

/** The end of a file, written in many ways: block texts on a last line without line end, and others that only look like it. */
const ends: Readonly<Record<string, string>> = {
  literal: 'a: |\n    x\n    y',
  stripped: 'a: |-\n    x',
  kept: 'a: |+\n    x',
  'kept, then blanks': 'a: |+\n    x\n    ',
  'kept, then an empty line and blanks': 'a: |+\n    x\n\n    ',
  'kept with empty lines': 'a: |+\n    x\n\n',
  'kept without content': 'a: |+\n    ',
  'clipped, then blanks': 'a: |\n    x\n    ',
  'clipped, then blanks beyond the indentation': 'a: |\n    x\n       ',
  'kept, then blanks beyond the indentation': 'a: |+\n    x\n       ',
  folded: 'a: >\n    x\n    y',
  'folded and kept': 'a: >+\n    x\n    y',
  'a line that is indented more': 'a: |\n    x\n      y',
  'a comment behind it': 'a: |\n    x\n# c',
  'a comment inside': 'a: |\n    x\n    # c',
  'lines that end in CR and LF': 'a: |\r\n    x\r\n    y',
  'an indentation indicator': 'a: |2\n     x',
  'a tab': 'a: |\n    x\n    \ty',
  'quotes at the end': 'a: |\n    say "x"',
  'a quoted text': 'a: "x\\n"',
  'a tag': 'a: !!str |\n    x',
  'nothing but the header': 'a: |',
};

const twoDocuments = `${head}data:\n  a: |\n    x\n---\n${head.replace('{name: a}', '{name: b}')}data:\n  a: |\n    x`;
const steps = '- op: add\n  path: /data/c\n  value: |\n    x\n    y';

export const lastLineCases: readonly RenderCase[] = [
  ...Object.entries(ends).map(([name, end]): RenderCase => ({
    name: `a file without a line end: ${name}`,
    kustomization: 'resources: [a.yaml]\n',
    files: { 'a.yaml': `${head}data:\n  ${end}` },
  })),
  {
    name: 'a file of two documents without a line end',
    kustomization: 'resources: [a.yaml]\n',
    files: { 'a.yaml': twoDocuments },
  },
  {
    name: 'an inline patch that ends in a block text',
    kustomization: `resources: [a.yaml]\npatches:\n- patch: |\n    ${head.replace(/\n(?=.)/g, '\n    ')}    data:\n      c: |\n        x\n        y\n`,
    files: { 'a.yaml': `${head}data: {b: c}\n` },
  },
  {
    name: 'inline steps that end in a block text',
    kustomization: `resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n    ${steps.replaceAll('\n', '\n    ')}\n`,
    files: { 'a.yaml': `${head}data: {b: c}\n` },
  },
  {
    name: 'patchesJson6902 that ends in a block text, which kustomize does not trim',
    kustomization: `resources: [a.yaml]\npatchesJson6902:\n- target: {version: v1, kind: ConfigMap, name: a}\n  patch: |\n    ${steps.replaceAll('\n', '\n    ')}\n`,
    files: { 'a.yaml': `${head}data: {b: c}\n` },
  },
  {
    name: 'patchesStrategicMerge that ends in a block text, in a kustomization without a line end',
    kustomization: `resources: [a.yaml]\npatchesStrategicMerge:\n- |\n    ${head.replace(/\n(?=.)/g, '\n    ')}    data:\n      c: |\n        x`,
    files: { 'a.yaml': `${head}data: {b: c}\n` },
  },
  {
    name: 'files of patches without a line end',
    kustomization:
      'resources: [a.yaml]\npatches: [{path: patch.yaml}, {path: steps.yaml, target: {kind: ConfigMap}}]\n',
    files: {
      'a.yaml': `${head}data: {b: c}\n`,
      'patch.yaml': `${head}data:\n  d: |\n    x`,
      'steps.yaml': steps,
    },
  },
  {
    name: 'literals in a kustomization without a line end',
    kustomization: 'configMapGenerator:\n- name: a\n  literals:\n  - |\n    a=b',
  },
  {
    name: 'literals that keep their line breaks, in a kustomization without a line end',
    kustomization: 'configMapGenerator:\n- name: a\n  literals:\n  - |+\n    a=b\n    ',
  },
  {
    name: 'a file of a generator without a line end',
    kustomization: 'generators: [a.yaml]\n',
    files: {
      'a.yaml': 'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nliterals:\n- |\n  a=b',
    },
  },
  {
    name: 'a file of replacements without a line end',
    kustomization: 'resources: [a.yaml]\nreplacements: [{path: r.yaml}]\n',
    files: {
      'a.yaml': `${head}data: {b: c}\n`,
      'r.yaml': 'targets:\n- select: {kind: ConfigMap}\n  fieldPaths: [data.b]\nsourceValue: |\n  x',
    },
  },
];
