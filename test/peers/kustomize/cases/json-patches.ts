import type { RenderCase } from './case.ts';
import { custom, deployment } from './objects.ts';

/** Steps for the Deployment. */
function steps(name: string, text: string): RenderCase {
  return {
    name: `JSON 6902: ${name}`,
    kustomization: 'resources: [web.yaml]\npatches:\n- path: patch.yaml\n  target: {kind: Deployment}\n',
    files: { 'web.yaml': deployment, 'patch.yaml': text },
  };
}

const containers = '/spec/template/spec/containers';

export const jsonPatchCases: readonly RenderCase[] = [
  steps(
    'add, replace, remove',
    `- {op: add, path: /spec/paused, value: true}\n- {op: replace, path: /spec/replicas, value: 4}\n- {op: remove, path: ${containers}/1}\n`,
  ),
  steps('as JSON', `[{"op": "add", "path": "${containers}/0/args/-", "value": "--last"}]`),
  steps(
    'in front, in the middle, at the end',
    `- {op: add, path: ${containers}/0/args/0, value: first}\n- {op: add, path: ${containers}/0/args/2, value: middle}\n- {op: add, path: ${containers}/0/args/4, value: end}\n`,
  ),
  steps(
    'from the end',
    `- {op: replace, path: ${containers}/-1/image, value: last}\n- {op: add, path: ${containers}/0/args/-1, value: end}\n- {op: remove, path: ${containers}/0/env/-2}\n`,
  ),
  steps(
    'move',
    `- {op: move, from: /spec/replicas, path: /metadata/annotations}\n- {op: move, from: ${containers}/1, path: ${containers}/0}\n`,
  ),
  steps(
    'copy',
    `- {op: copy, from: ${containers}/0, path: ${containers}/-}\n- {op: replace, path: ${containers}/2/name, value: copy}\n`,
  ),
  steps(
    'test',
    `- {op: test, path: /spec/replicas, value: 1}\n- {op: test, path: /spec/selector, value: {matchLabels: {app: web}}}\n- {op: replace, path: /spec/replicas, value: 2}\n`,
  ),
  steps('test of what is not there', '- {op: test, path: /spec/nothing, value: null}\n'),
  steps(
    'names with / and ~',
    '- {op: add, path: /metadata/annotations, value: {}}\n- {op: add, path: /metadata/annotations/example.com~1a~0b, value: "1"}\n',
  ),
  steps('add replaces', '- {op: add, path: /metadata/labels, value: {only: this}}\n'),
  steps(
    'replace of a field that is not there adds it',
    '- {op: replace, path: /spec/minReadySeconds, value: 3}\n',
  ),
  steps('null as a value', '- {op: add, path: /spec/paused, value: null}\n'),
  steps(
    'the whole object',
    '- {op: replace, path: "", value: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}}\n',
  ),
  steps(
    'a new name and namespace',
    '- {op: replace, path: /metadata/name, value: new}\n- {op: add, path: /metadata/namespace, value: elsewhere}\n',
  ),
  steps(
    'numbers',
    '- {op: add, path: /spec/ratio, value: 1.5}\n- {op: add, path: /spec/big, value: 9007199254740991}\n- {op: add, path: /spec/negative, value: -3}\n',
  ),
  {
    name: 'JSON 6902: patchesJson6902, after names and labels',
    kustomization:
      'resources: [web.yaml]\nnamePrefix: p-\ncommonLabels: {a: b}\npatchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web}\n  path: patch.yaml\n- target: {kind: Deployment, name: p-web}\n  patch: "- {op: add, path: /spec/paused, value: true}"\n',
    files: { 'web.yaml': deployment, 'patch.yaml': '- {op: replace, path: /metadata/labels/a, value: c}\n' },
  },
  {
    name: 'JSON 6902: several targets, in order with others',
    kustomization:
      'resources: [web.yaml, custom.yaml]\npatches:\n- target: {name: ".*"}\n  patch: |-\n    - op: add\n      path: /metadata/annotations\n      value: {one: "1"}\n- target: {kind: Deployment}\n  patch: "{apiVersion: v1, kind: X, metadata: {name: x, annotations: {two: two}}}"\n- target: {kind: Deployment}\n  patch: "- {op: remove, path: /metadata/annotations/one}"\n',
    files: { 'web.yaml': deployment, 'custom.yaml': custom },
  },
];
