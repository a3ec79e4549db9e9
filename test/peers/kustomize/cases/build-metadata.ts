import type { RenderCase } from './case.ts';
import { custom, deployment, settings } from './objects.ts';

const both = 'buildMetadata: [originAnnotations, transformerAnnotations]\n';
const base = {
  'base/kustomization.yaml':
    'resources: [sub/web.yaml, settings.yaml]\nnamePrefix: p-\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n',
  'base/sub/web.yaml': deployment,
  'base/settings.yaml': settings,
};

const build = (
  name: string,
  kustomization: string,
  files: Readonly<Record<string, string>> = {},
): RenderCase => ({
  name: `buildMetadata: ${name}`,
  kustomization,
  files: { ...base, 'custom.yaml': custom, ...files },
});

const everything = `namespace: prod
namePrefix: a-
nameSuffix: -b
labels: [{pairs: {a: b}}, {pairs: {c: d}, includeSelectors: true}]
commonAnnotations: {note: x}
replicas: [{name: web, count: 2}, {name: web, count: 3}]
images: [{name: busybox, newTag: v1}]
patches:
- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {paused: true}}'
- patch: '[{"op": "add", "path": "/spec/x", "value": 1}]'
  target: {kind: Memcached}
patchesStrategicMerge:
- '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {minReadySeconds: 1}}'
replacements:
- source: {kind: ConfigMap, name: settings, fieldPath: data.a}
  targets: [{select: {kind: Memcached}, fieldPaths: [spec.items.0.name]}]
`;

export const buildMetadataCases: readonly RenderCase[] = [
  build('origins', 'resources: [base, custom.yaml]\nbuildMetadata: [originAnnotations]\n'),
  build(
    'transformers',
    'resources: [base, ./custom.yaml]\nnameSuffix: -s\nbuildMetadata: [transformerAnnotations]\n',
  ),
  build('both', `resources: [base, custom.yaml]\n${everything}${both}`),
  build('commonLabels are one more', `resources: [custom.yaml]\ncommonLabels: {a: b}\n${both}`),
  build('those of a base do not count', 'resources: [other]\nnamePrefix: p-\n', {
    'other/kustomization.yaml': `resources: [a.yaml]\n${both}`,
    'other/a.yaml': settings,
  }),
  build(
    'a folder beside it, and a component',
    `resources: [../other]\ncomponents: [component]\nnamePrefix: p-\n${both}`,
    {
      '../other/kustomization.yml': 'resources: [a.yaml]\nnameSuffix: -s\n',
      '../other/a.yaml': settings,
      'component/kustomization.yaml': 'kind: Component\nresources: [c.yaml]\ncommonAnnotations: {note: x}\n',
      'component/c.yaml': custom,
    },
  ),
  ...['merge', 'replace'].map((behavior) =>
    build(
      `a generator that may ${behavior}`,
      `resources: [base]\nconfigMapGenerator: [{name: made, behavior: ${behavior}, literals: [c=d]}]\n${both}`,
    ),
  ),
  build(
    'a patch of the annotations',
    `resources: [custom.yaml]\nnamePrefix: p-\npatches:\n- patch: '[{"op": "add", "path": "/metadata/annotations", "value": {"own": "a"}}]'\n  target: {kind: Memcached}\n${both}`,
  ),
];
