import type { RefusalCase } from '../case.ts';
import { settings } from '../objects.ts';
import { both, only } from './make-case.ts';

export const fieldRefusals: readonly RefusalCase[] = [
  only('managedByLabel', 'names its version', 'buildMetadata: [managedByLabel]\n', 'kustomize/invalid-value'),
  both('helmCharts', 'helmCharts:\n- {name: a}\n', 'kustomize/unsupported-field'),
  both('generators', 'generators: [a.yaml]\n', 'kustomize/missing-file'),
  both('transformers', 'transformers: [a.yaml]\n', 'kustomize/missing-file'),
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
  {
    name: 'a variable in one of the fields that have a label in common',
    kustomization:
      'resources: [../base]\nlabels: [{pairs: {tier: $(NAME)}}]\nvars: [{name: NAME, objref: {apiVersion: v1, kind: Service, name: a}}]\nconfigurations: [config.yaml]\n',
    files: {
      'config.yaml': 'varReference: [{path: metadata/labels}]\n',
      '../base/kustomization.yaml': 'resources: [a.yaml]\ncommonLabels: {tier: b}\n',
      '../base/a.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {selector: {c: d}}\n',
    },
    refused: ['kustomize/replacement-failed'],
    kustomize: { renders: 'the value in the selector, too' },
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
  {
    name: 'a resource with a key twice',
    kustomization: 'resources: [a.yaml]\n',
    files: { 'a.yaml': `${settings}kind: ConfigMap\n` },
    refused: ['io/yaml-syntax'],
    kustomize: 'refuses',
  },
  {
    name: 'a generator with a key twice',
    kustomization: 'generators: [a.yaml]\n',
    files: {
      'a.yaml':
        'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nliterals: [a=b]\nliterals: [c=d]\n',
    },
    refused: ['io/yaml-syntax'],
    kustomize: 'refuses',
  },
];
