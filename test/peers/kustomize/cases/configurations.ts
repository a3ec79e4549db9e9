import type { RenderCase } from './case.ts';
import { custom, deployment, service, settings } from './objects.ts';

const files = {
  'web.yaml': deployment,
  'service.yaml': service,
  'settings.yaml': settings,
  'custom.yaml': custom,
};
const resources = 'resources: [web.yaml, service.yaml, settings.yaml, custom.yaml, app.yaml]\n';

/** A kind whose fields only a configuration knows. */
const app = `apiVersion: x.io/v1
kind: App
metadata: {name: app}
spec:
  host: app
  configName: settings
  service: {name: web, namespace: default}
  configs: [settings, none]
  items: [{config: settings}, {config: other}]
  namespace: old
  count: 2
  labels: {a: b}
  image: controller:latest
  images: [{image: controller:v1}, {image: nginx}]
  text: $(HOST)
  texts: [a-$(HOST), $$(HOST), $(UNKNOWN)]
  pairs: {a: $(HOST)/$(PORT), b: $(PORT), c: 1}
`;

/** With a configuration. */
const configure = (name: string, config: string, fields: string): RenderCase => ({
  name: `configurations: ${name}`,
  kustomization: `${resources}configurations: [config.yaml]\n${fields}`,
  files: { ...files, 'app.yaml': app, 'config.yaml': config },
});

const references = `nameReference:
- kind: ConfigMap
  version: v1
  fieldSpecs:
  - {kind: App, path: spec/configName}
  - {kind: App, path: spec/configs}
  - {kind: App, path: spec/items/config}
- kind: Service
  fieldSpecs:
  - {kind: App, group: x.io, version: v1, path: spec/service}
`;

const changes: readonly RenderCase[] = [
  configure('references of another kind', references, 'namePrefix: p-\nnameSuffix: -s\n'),
  configure('references and a namespace', references, 'namePrefix: p-\nnamespace: prod\n'),
  configure(
    'references to a generated object',
    references,
    'configMapGenerator: [{name: other, literals: [a=b]}]\n',
  ),
  configure(
    'references to a kind of their own',
    'nameReference:\n- kind: Memcached\n  group: cache.example.com\n  fieldSpecs:\n  - {kind: ConfigMap, path: data/a}\n  - {path: spec/host, kind: App}\n',
    'namePrefix: p-\npatches:\n- patch: "[{op: replace, path: /data/a, value: sample}]"\n  target: {kind: ConfigMap}\n'.replace(
      '"[{op: replace, path: /data/a, value: sample}]"',
      `'[{"op": "replace", "path": "/data/a", "value": "sample"}]'`,
    ),
  ),
  configure(
    'namePrefix of another field',
    'namePrefix:\n- {kind: App, path: spec/host}\n',
    'namePrefix: p-\n',
  ),
  configure(
    'nameSuffix of another field',
    'nameSuffix:\n- {kind: App, path: spec/host}\n',
    'nameSuffix: -s\n',
  ),
  configure(
    'namePrefix makes a field',
    'namePrefix:\n- {kind: App, path: spec/made/here, create: true}\n',
    'namePrefix: p-\n',
  ),
  configure(
    'a name that two specs are for is given two prefixes once more',
    'namePrefix:\n- {kind: App, path: metadata/name}\n',
    'namePrefix: p-\n',
  ),
  configure(
    'namespace of another field',
    'namespace:\n- {kind: App, path: spec/namespace}\n',
    'namespace: prod\n',
  ),
  configure(
    'namespace makes a field',
    'namespace:\n- {kind: App, path: spec/made, create: true}\n',
    'namespace: prod\n',
  ),
  configure(
    'namespace of metadata changes nothing',
    'namespace:\n- {path: metadata/namespace, create: true}\n- {kind: App, path: metadata/name}\n',
    'namespace: prod\n',
  ),
  configure(
    'commonLabels',
    'commonLabels:\n- {kind: App, path: spec/labels}\n- {kind: App, path: spec/made/labels, create: true}\n- {kind: App, path: spec/none}\n',
    'commonLabels: {team: t}\n',
  ),
  configure(
    'commonLabels and labels with selectors',
    'commonLabels:\n- {kind: App, path: spec/labels}\n',
    'labels: [{pairs: {team: t}, includeSelectors: true}, {pairs: {only: own}}]\n',
  ),
  configure('labels', 'labels:\n- {kind: App, path: spec/labels}\n', 'labels: [{pairs: {team: t}}]\n'),
  configure(
    'templateLabels',
    'templateLabels:\n- {kind: App, path: spec/labels}\n',
    'labels: [{pairs: {team: t}, includeTemplates: true}, {pairs: {only: own}}]\n',
  ),
  configure(
    'commonAnnotations',
    'commonAnnotations:\n- {kind: App, path: spec/labels}\n- {kind: App, path: spec/made, create: true}\n',
    'commonAnnotations: {note: x}\n',
  ),
  configure(
    'images',
    'images:\n- {kind: App, path: spec/image}\n- {kind: App, path: "spec/images[]/image"}\n',
    'images: [{name: controller, newTag: v2}]\n',
  ),
  configure(
    'replicas',
    'replicas:\n- {kind: App, path: spec/count}\n',
    'replicas: [{name: app, count: 5}, {name: web, count: 3}]\n',
  ),
  configure(
    'replicas that are made',
    'replicas:\n- {kind: App, path: spec/made, create: true}\n',
    'replicas: [{name: app, count: 5}]\n',
  ),
  configure(
    'what kustomize has, too',
    'namePrefix:\n- {path: metadata/name}\nreplicas:\n- {kind: Deployment, path: spec/replicas, create: true}\n',
    'namePrefix: p-\n',
  ),
  configure('an empty file', '', 'namePrefix: p-\n'),
];

const folders: readonly RenderCase[] = [
  {
    name: 'configurations: two files',
    kustomization: `${resources}configurations: [a.yaml, b.yaml]\nnamePrefix: p-\nnamespace: prod\n`,
    files: {
      ...files,
      'app.yaml': app,
      'a.yaml': references,
      'b.yaml': 'namespace:\n- {kind: App, path: spec/namespace}\n',
    },
  },
  {
    name: 'configurations: those of a base count for the outer folder',
    kustomization: 'resources: [base]\nnamePrefix: p-\n',
    files: {
      'base/kustomization.yaml': `${resources}configurations: [config.yaml]\n`,
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`base/${path}`, text])),
      'base/app.yaml': app,
      'base/config.yaml': references,
    },
  },
  {
    name: 'configurations: those of the outer folder do not change the base',
    kustomization: 'resources: [base]\nconfigurations: [config.yaml]\nnameSuffix: -s\n',
    files: {
      'base/kustomization.yaml': 'resources: [app.yaml]\nnamePrefix: p-\nnamespace: prod\n',
      'base/app.yaml': app,
      'config.yaml':
        'namePrefix:\n- {kind: App, path: spec/host}\nnameSuffix:\n- {kind: App, path: spec/host}\n',
    },
  },
  {
    name: 'configurations: of a component',
    kustomization: 'resources: [app.yaml, settings.yaml]\ncomponents: [component]\nnamePrefix: p-\n',
    files: {
      'app.yaml': app,
      'settings.yaml': settings,
      'component/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nconfigurations: [config.yaml]\n',
      'component/config.yaml': references,
    },
  },
  {
    name: 'configurations: kubebuilder webhooks and certificates',
    kustomization:
      'namespace: system\nnamePrefix: op-\nresources: [all.yaml]\nconfigurations: [kustomizeconfig.yaml]\n',
    files: {
      'all.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: webhook-service, namespace: system}\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: validating}\nwebhooks:\n- {name: v.kb.io, clientConfig: {service: {name: webhook-service, namespace: system, path: /v}}}\n---\napiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: selfsigned-issuer, namespace: system}\nspec: {selfSigned: {}}\n---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: serving-cert, namespace: system}\nspec: {issuerRef: {kind: Issuer, name: selfsigned-issuer}, secretName: webhook-server-cert}\n',
      'kustomizeconfig.yaml':
        'nameReference:\n- kind: Service\n  version: v1\n  fieldSpecs:\n  - {kind: ValidatingWebhookConfiguration, group: admissionregistration.k8s.io, path: webhooks/clientConfig/service/name}\n- kind: Issuer\n  group: cert-manager.io\n  fieldSpecs:\n  - {kind: Certificate, group: cert-manager.io, path: spec/issuerRef/name}\nnamespace:\n- {kind: ValidatingWebhookConfiguration, group: admissionregistration.k8s.io, path: webhooks/clientConfig/service/namespace, create: true}\n',
    },
  },
];

const variables = (
  name: string,
  fields: string,
  more: Readonly<Record<string, string>> = {},
): RenderCase => ({
  name: `vars: ${name}`,
  kustomization: `${resources}${fields}`,
  files: { ...files, 'app.yaml': app, ...more },
});

const host = '- {name: HOST, objref: {kind: Service, version: v1, name: web}}\n';
const port =
  '- {name: PORT, objref: {apiVersion: v1, kind: Service, name: web}, fieldref: {fieldPath: "spec.ports[0].port"}}\n';
const fieldsOfApp =
  'varReference:\n- {kind: App, path: spec/text}\n- {kind: App, path: spec/texts}\n- {kind: App, path: spec/pairs}\n';

const vars: readonly RenderCase[] = [
  variables(
    'in fields of a configuration',
    `namePrefix: p-\nconfigurations: [config.yaml]\nvars:\n${host}${port}`,
    {
      'config.yaml': fieldsOfApp,
    },
  ),
  variables(
    'in arguments and annotations',
    `nameSuffix: -s\ncommonAnnotations: {host: "http://$(HOST):$(PORT)/"}\nvars:\n${host}${port}patches:\n- patch: '[{"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--host=$(HOST)"}, {"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "$(PORT)"}, {"op": "add", "path": "/spec/template/spec/containers/0/env/-", "value": {"name": "C", "value": "$(HOST)"}}]'\n  target: {kind: Deployment}\n`,
  ),
  ...[
    '$(HOST)$(HOST)',
    '$$(HOST) $(HOST)',
    '$$$$$(HOST)',
    '$$$(PORT)',
    '$HOST ${HOST} $',
    '$(HOST',
    '$($(HOST)',
    '$(HOST$(PORT))',
    '$() $(  ) $( HOST)',
    '$?_$!',
    'é $(HOST) 🙂',
    '$\\n$(PORT)',
  ].map((text) =>
    variables(
      `the text ${text}`,
      `configurations: [config.yaml]\nvars:\n${host}${port}patches:\n- patch: ${JSON.stringify(JSON.stringify([{ op: 'replace', path: '/spec/text', value: text }]))}\n  target: {kind: App}\n`,
      {
        'config.yaml': fieldsOfApp,
      },
    ),
  ),
  ...[
    'spec.ratio',
    'spec.verbose',
    'spec.size',
    'spec.items[1].name',
    'spec.items.[name=two].value',
    'spec.items',
    'kind',
    'metadata.name',
  ].map((path) =>
    variables(
      `the field ${path}`,
      `configurations: [config.yaml]\nvars:\n- {name: HOST, objref: {apiVersion: cache.example.com/v1, kind: Memcached, name: sample}, fieldref: {fieldpath: "${path}"}}\n${port}`,
      {
        'config.yaml': fieldsOfApp,
      },
    ),
  ),
  variables('that nothing uses', `namePrefix: p-\nvars:\n${host}`),
  variables(
    'of a generated object',
    'configMapGenerator: [{name: other, literals: [a=b]}]\nconfigurations: [config.yaml]\nvars:\n- {name: HOST, objref: {apiVersion: v1, kind: ConfigMap, name: other}}\n',
    { 'config.yaml': fieldsOfApp },
  ),
  {
    name: 'vars: of a base, by the name that it has there',
    kustomization: 'resources: [base]\nnamePrefix: outer-\nnamespace: prod\n',
    files: {
      'base/kustomization.yaml': `resources: [service.yaml, app.yaml]\nnamePrefix: inner-\nconfigurations: [config.yaml]\nvars:\n${host}${port}`,
      'base/service.yaml': service,
      'base/app.yaml': app,
      'base/config.yaml': fieldsOfApp,
    },
  },
  {
    name: 'vars: one of two namespaces',
    kustomization: `resources: [a.yaml, b.yaml, app.yaml]\nconfigurations: [config.yaml]\nvars:\n- {name: HOST, objref: {apiVersion: v1, kind: Service, name: web, namespace: b}, fieldref: {fieldpath: metadata.namespace}}\n`,
    files: {
      'a.yaml': service.replace('name: web', 'name: web\n  namespace: a'),
      'b.yaml': service.replace('name: web', 'name: web\n  namespace: b'),
      'app.yaml': app,
      'config.yaml': fieldsOfApp,
    },
  },
];

const definition = JSON.stringify({
  'github.com/x/v1.App': {
    Schema: {
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: {},
        spec: { $ref: 'github.com/x/v1.AppSpec' },
      },
    },
    Dependencies: ['github.com/x/v1.AppSpec'],
  },
  'github.com/x/v1.AppSpec': {
    Schema: {
      properties: {
        service: {
          'x-kubernetes-object-ref-api-version': 'v1',
          'x-kubernetes-object-ref-kind': 'Service',
        },
        items: {
          'x-kubernetes-object-ref-api-version': 'v1',
          'x-kubernetes-object-ref-kind': 'ConfigMap',
          'x-kubernetes-object-ref-name-key': 'config',
        },
        labels: { 'x-kubernetes-label-selector': '', 'x-kubernetes-annotation': '' },
        host: { 'x-kubernetes-identity': '' },
      },
    },
  },
});

const crds: readonly RenderCase[] = [
  variables(
    'none, but crds',
    'namePrefix: p-\ncommonLabels: {team: t}\ncommonAnnotations: {note: x}\ncrds: [crd.json]\n',
    {
      'crd.json': definition,
    },
  ),
  variables(
    'none, but crds and a configuration',
    `namePrefix: p-\ncrds: [crd.json]\nconfigurations: [config.yaml]\n`,
    {
      'crd.json': definition,
      'config.yaml': references,
    },
  ),
];

export const configurationCases: readonly RenderCase[] = [...changes, ...folders, ...vars, ...crds];
