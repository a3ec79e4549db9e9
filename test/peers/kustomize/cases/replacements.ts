import type { RenderCase } from './case.ts';
import { account, custom, deployment, service, settings } from './objects.ts';

const files = {
  'web.yaml': deployment,
  'service.yaml': service,
  'settings.yaml': settings,
  'custom.yaml': custom,
  'account.yaml': account,
};
const resources = `resources: [${Object.keys(files).join(', ')}]\n`;

/** One replacement, in YAML's flow style. */
function replace(name: string, source: string, targets: string, more = ''): RenderCase {
  return {
    name: `replacements: ${name}`,
    kustomization: `${resources}replacements:\n- source: ${source}\n  targets: ${targets}\n${more}`,
    files,
  };
}

const settingsB = '{kind: ConfigMap, name: settings, fieldPath: data.b}';
const spec = 'spec.template.spec';

export const replacementCases: readonly RenderCase[] = [
  replace(
    'the name by default',
    '{kind: Service}',
    '[{select: {kind: Memcached}, fieldPaths: [metadata.labels.service], options: {create: true}}]',
  ),
  replace('the name as target by default', '{kind: ServiceAccount}', '[{select: {kind: Memcached}}]'),
  replace('text into a number', settingsB, '[{select: {kind: Deployment}, fieldPaths: [spec.replicas]}]'),
  replace(
    'a number into text',
    '{kind: Memcached, fieldPath: spec.size}',
    '[{select: {kind: ConfigMap}, fieldPaths: [data.a]}]',
  ),
  replace(
    'a truth value',
    '{kind: Memcached, fieldPath: spec.verbose}',
    '[{select: {kind: ConfigMap}, fieldPaths: [data.a]}]',
  ),
  replace(
    'an item by name',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.[name=manager].image"]}]`,
  ),
  replace(
    'items by a part of the name',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.[name=a].image"]}]`,
  ),
  replace(
    'items by a pattern',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.[name=ma.*r].env.[name=A].value"]}]`,
  ),
  replace(
    'an item by its number',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.1.image", "${spec}.containers.0.args.0"]}]`,
  ),
  replace(
    'scalar items',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.0.args.[=--v=2]"]}]`,
  ),
  replace(
    'every item',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.*.image"]}]`,
  ),
  replace(
    'every item with the field',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.*.env.*.value"]}]`,
  ),
  replace(
    'a new field',
    settingsB,
    '[{select: {kind: Memcached}, fieldPaths: [spec.a.b.c], options: {create: true}}]',
  ),
  replace(
    'a new annotation with dots',
    settingsB,
    '[{select: {kind: Memcached}, fieldPaths: ["metadata.annotations.[example.com/b]"], options: {create: true}}]',
  ),
  replace(
    'escaped dots',
    settingsB,
    String.raw`[{select: {kind: Memcached}, fieldPaths: ['metadata.annotations.example\.com/b'], options: {create: true}}]`,
  ),
  replace(
    'a new item',
    '{kind: Service}',
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.[name=sidecar].env.[name=SERVICE].value"], options: {create: true}}]`,
  ),
  replace(
    'a new item at the end',
    '{kind: Service}',
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.containers.0.args.2"], options: {create: true}}]`,
  ),
  replace(
    'a new list',
    '{kind: Service}',
    '[{select: {kind: Memcached}, fieldPaths: [spec.hosts.0.name], options: {create: true}}]',
  ),
  replace(
    'a part of the source',
    '{kind: ConfigMap, fieldPath: data.host, options: {delimiter: ":", index: 1}}',
    '[{select: {kind: Memcached}, fieldPaths: [spec.size]}]',
  ),
  replace(
    'the first part by default',
    '{kind: ConfigMap, fieldPath: data.host, options: {delimiter: .}}',
    '[{select: {kind: Memcached}, fieldPaths: [spec.items.0.name]}]',
  ),
  replace(
    'a part of the target',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.initContainers.0.image"], options: {delimiter: /, index: 1}}]`,
  ),
  replace(
    'in front of the target',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.initContainers.0.image"], options: {delimiter: /, index: -1}}]`,
  ),
  replace(
    'behind the target',
    settingsB,
    `[{select: {kind: Deployment}, fieldPaths: ["${spec}.initContainers.0.image"], options: {delimiter: "-", index: 9}}]`,
  ),
  replace(
    'a mapping',
    `{kind: Deployment, fieldPath: spec.selector}`,
    '[{select: {kind: Memcached}, fieldPaths: [spec.selector], options: {create: true}}]',
  ),
  replace(
    'a mapping instead of a list',
    `{kind: Deployment, fieldPath: spec.selector}`,
    '[{select: {kind: Memcached}, fieldPaths: [spec.items]}]',
  ),
  replace(
    'text instead of a mapping',
    settingsB,
    '[{select: {kind: Memcached}, fieldPaths: [spec.template]}]',
  ),
  replace(
    'from items by name, number and end',
    `{kind: Deployment, fieldPath: "${spec}.containers.[name=manager].args.-"}`,
    `[{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n- source: {kind: Deployment, fieldPath: "${spec}.containers.1.image"}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.b]}]\n`,
  ),
  replace(
    'several selected, some rejected',
    settingsB,
    '[{select: {name: .*}, reject: [{kind: Service}, {name: sett.*}, {labelSelector: app=web}], fieldPaths: [metadata.annotations.x], options: {create: true}}]',
  ),
  replace(
    'selected by labels',
    settingsB,
    '[{select: {labelSelector: app=web}, fieldPaths: [metadata.annotations.x], options: {create: true}}]',
  ),
  replace('nothing selected is no error', settingsB, '[{select: {kind: Nothing}, fieldPaths: [spec.x]}]'),
  replace(
    'one after the other',
    settingsB,
    `[{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n- source: {kind: ConfigMap, fieldPath: data.a}\n  targets: [{select: {kind: Deployment}, fieldPaths: [spec.replicas]}]\n`,
  ),
  replace(
    'after prefix and namespace, by former names',
    '{kind: Service, name: web}',
    '[{select: {kind: ConfigMap, name: settings}, fieldPaths: [data.a]}, {select: {kind: ConfigMap, name: p-settings, namespace: ns}, fieldPaths: [data.b]}]',
    'namePrefix: p-\nnamespace: ns\n',
  ),
  replace(
    'the source as a target',
    settingsB,
    '[{select: {kind: ConfigMap}, fieldPaths: [data.b, data.a], options: {delimiter: "-", index: 5}}]',
  ),
  {
    name: 'replacements: a constant',
    kustomization: `${resources}replacements:\n- sourceValue: fixed\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n`,
    files,
  },
  {
    name: 'replacements: in files, one and several',
    kustomization: `${resources}replacements:\n- path: one.yaml\n- path: several.yaml\n`,
    files: {
      ...files,
      'one.yaml': `source: ${settingsB}\ntargets: [{select: {kind: Deployment}, fieldPaths: [spec.replicas]}]\n`,
      'several.yaml': `- source: {kind: Service}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n- source: {kind: Service}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.b]}]\n`,
    },
  },
];
