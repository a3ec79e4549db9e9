import type { RefusalCase } from '../case.ts';
import { files, both, only, replace, from, to } from './make-case.ts';

export const replacementRefusals: readonly RefusalCase[] = [
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
