import type { RenderCase } from './case.ts';
import { account, deployment, service, settings } from './objects.ts';

const base = {
  '../base/kustomization.yaml': 'resources: [web.yaml, settings.yaml]\nnamePrefix: base-\n',
  '../base/web.yaml': deployment,
  '../base/settings.yaml': settings,
};

export const compositionCases: readonly RenderCase[] = [
  {
    name: 'folders in folders',
    kustomization: 'resources: [../base, service.yaml]\nnamePrefix: outer-\nnamespace: prod\n',
    files: { ...base, 'service.yaml': service },
  },
  {
    name: 'the same name in two folders',
    kustomization: 'resources: [../base, ../other]\n',
    files: {
      ...base,
      '../other/kustomization.yml': 'resources: [web.yaml, settings.yaml]\nnameSuffix: -other\n',
      '../other/web.yaml': deployment,
      '../other/settings.yaml': settings,
    },
  },
  {
    name: 'the same name in two namespaces',
    kustomization: 'resources: [../base, ../other]\nnameSuffix: -x\n',
    files: {
      ...base,
      '../base/kustomization.yaml': 'resources: [web.yaml, settings.yaml]\nnamespace: one\n',
      '../other/Kustomization': 'resources: [web.yaml, settings.yaml]\nnamespace: two\n',
      '../other/web.yaml': deployment,
      '../other/settings.yaml': settings,
    },
  },
  {
    name: 'a component',
    kustomization: 'resources: [../base]\ncomponents: [../component]\nnamePrefix: outer-\n',
    files: {
      ...base,
      '../component/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [service.yaml]\nnameSuffix: -c\npatches:\n- target: {kind: Deployment}\n  patch: "- {op: replace, path: /spec/replicas, value: 9}"\n',
      '../component/service.yaml': service,
    },
  },
  {
    name: 'components in their order',
    kustomization: 'resources: [../base]\ncomponents: [../one, ../two]\n',
    files: {
      ...base,
      '../one/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n- target: {kind: Deployment}\n  patch: "- {op: add, path: /metadata/annotations, value: {by: one}}"\n',
      '../two/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n- target: {kind: Deployment}\n  patch: "- {op: test, path: /metadata/annotations/by, value: one}"\ncommonAnnotations: {by: two}\n',
    },
  },
  {
    name: 'patches of an outer folder, by the inner name',
    kustomization:
      'resources: [../base]\nnamePrefix: outer-\npatches:\n- patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}"\n- patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: base-web}, spec: {paused: true}}"\n',
    files: base,
  },
  {
    name: 'replacements of an inner folder come before the outer prefix',
    kustomization: 'resources: [../base]\nnamePrefix: outer-\n',
    files: {
      ...base,
      '../base/kustomization.yaml':
        'resources: [web.yaml, settings.yaml]\nreplacements:\n- source: {kind: Deployment}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n',
    },
  },
  {
    name: 'several objects and empty documents in one file',
    kustomization: 'resources: [all.yaml]\n',
    files: { 'all.yaml': `---\n---\n${service}---\n# nothing\n---\n${account}---\n${deployment}` },
  },
  {
    name: 'objects as JSON',
    kustomization: 'resources: [a.json]\n',
    files: { 'a.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1"}}' },
  },
  {
    name: 'the legacy order',
    kustomization: 'resources: [web.yaml, service.yaml, settings.yaml, account.yaml, rest.yaml]\n',
    files: {
      'web.yaml': deployment,
      'service.yaml': service,
      'settings.yaml': settings,
      'account.yaml': account,
      'rest.yaml':
        'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: v}\n---\napiVersion: x.io/v1\nkind: Foo\nmetadata: {name: b}\n---\napiVersion: x.io/v1\nkind: Foo\nmetadata: {name: a, namespace: z}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: q}\n---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\n',
    },
  },
  {
    name: 'the order of the files',
    kustomization: 'resources: [web.yaml, service.yaml, account.yaml]\nsortOptions: {order: fifo}\n',
    files: { 'web.yaml': deployment, 'service.yaml': service, 'account.yaml': account },
  },
  {
    name: 'an order of its own',
    kustomization:
      'resources: [web.yaml, service.yaml, account.yaml]\nsortOptions: {order: legacy, legacySortOptions: {orderFirst: [Deployment], orderLast: [ServiceAccount]}}\n',
    files: { 'web.yaml': deployment, 'service.yaml': service, 'account.yaml': account },
  },
  {
    name: 'generatorOptions without generators',
    kustomization: 'resources: [account.yaml]\ngeneratorOptions: {disableNameSuffixHash: true}\n',
    files: { 'account.yaml': account },
  },
  {
    name: 'resources for other tools are left out',
    kustomization: 'resources: [account.yaml, local.yaml]\n',
    files: {
      'account.yaml': account,
      'local.yaml': settings.replace(
        'name: settings',
        'name: settings\n  annotations: {config.kubernetes.io/local-config: "true"}',
      ),
    },
  },
];
