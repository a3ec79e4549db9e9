import { isObject, listOf as items, objectOf, type Json } from '../../../src/kubernetes/objects/index.ts';
import type { TypeRule } from './generate.ts';
import { labelKey, listOf, objectName, one, text } from './values.ts';

/** Kinds that configure: ConfigMaps, Secrets, roles and their bindings, Leases, priorities, Events; and label selectors. */
export const configRules: Readonly<Record<string, TypeRule>> = {
  ConfigMap: { density: 0.6, fields: { data: one({ k: 'a' }, { 'a.b': '', _c: 'x' }) } },
  Secret: {
    density: 0.6,
    fields: {
      type: one(
        ...['Opaque', 'Opaque', 'example.com/x', 'kubernetes.io/basic-auth', 'kubernetes.io/ssh-auth'],
        'kubernetes.io/tls',
      ),
      data: one({ k: 'YQ==' }, { 'a.b': '', username: 'e30=', 'ssh-privatekey': 'YQ==' }),
      stringData: one({ s: 'a' }),
    },
  },
  ServiceAccount: { density: 0.6 },
  ObjectReference: {
    fields: { name: objectName, namespace: one('a', 'b'), kind: one('Secret', 'Pod'), apiVersion: one('v1') },
    density: 0.5,
  },
  LocalObjectReference: { always: ['name'], fields: { name: objectName } },
  SecretReference: { always: ['name', 'namespace'], fields: { name: objectName } },
  LabelSelector: {
    density: 0.4,
    fields: { matchLabels: one({ app: 'x' }, { app: 'x', tier: 'y' }) },
  },
  LabelSelectorRequirement: {
    always: ['values'],
    fields: { key: labelKey, operator: one('In', 'NotIn', 'Exists', 'DoesNotExist'), values: listOf(text) },
    tidy: (requirement) => {
      const { operator } = requirement;
      if (operator === 'Exists' || operator === 'DoesNotExist') delete requirement['values'];
    },
  },
  PolicyRule: {
    oneOf: [['resources', 'resources', 'nonResourceURLs']],
    fields: {
      verbs: listOf(one('get', 'list', '*', 'create')),
      apiGroups: listOf(one('', 'apps', '*', 'example.com')),
      resources: listOf(one('pods', 'pods/log', '*', 'deployments')),
      nonResourceURLs: listOf(one('/healthz', '/metrics/*', '*')),
    },
    tidy: (rule, random) => {
      if (rule['nonResourceURLs'] === undefined) rule['apiGroups'] ??= [random.pick(['', 'apps'])];
      else for (const name of ['apiGroups', 'resourceNames']) delete rule[name];
    },
  },
  // A Role refuses what only a ClusterRole may have.
  Role: { density: 0.8, tidy: ({ rules }, random) => tidyRules(items(rules), random.chance(0.9)) },
  ClusterRole: { density: 0.7 },
  AggregationRule: { always: ['clusterRoleSelectors'] },
  RoleBinding: { density: 0.8 },
  ClusterRoleBinding: {
    density: 0.8,
    fields: {
      roleRef: one(
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' },
        { kind: 'ClusterRole', name: 'system:x' },
      ),
    },
    tidy: ({ subjects }) => {
      for (const subject of items(subjects).filter((each) => isObject(each)))
        if (subject['kind'] === 'ServiceAccount') subject['namespace'] ??= 'a';
    },
  },
  RoleRef: {
    fields: {
      apiGroup: one('rbac.authorization.k8s.io', ''),
      kind: one('Role', 'ClusterRole'),
      name: one('a', 'system:x', 'a.b'),
    },
  },
  Subject: {
    always: ['name'],
    fields: {
      kind: one('ServiceAccount', 'User', 'Group'),
      name: one('a', 'x.y', 'b-c'),
      namespace: text,
      apiGroup: one('rbac.authorization.k8s.io'),
    },
    tidy: (subject) => {
      if (subject['kind'] === 'ServiceAccount') delete subject['apiGroup'];
    },
  },
  LeaseSpec: { density: 0.6, fields: { strategy: one('OldestEmulationVersion') } },
  PriorityClass: { density: 0.6, without: ['globalDefault'], fields: { value: one(0, 1, 1000, -5) } },
  Event: {
    density: 0.4,
    always: ['action', 'reason', 'regarding', 'reportingController', 'reportingInstance', 'type'],
    fields: {
      type: one('Normal', 'Warning'),
      reportingController: one('example.com/x', 'a'),
      series: one({ count: 2, lastObservedTime: '2026-01-02T03:04:05.000006Z' }),
    },
    tidy: (event, random) => {
      objectOf(event['regarding'])['namespace'] = random.pick(['a', 'b']);
      for (const name of ['Count', 'FirstTimestamp', 'LastTimestamp', 'Source'])
        delete event[`deprecated${name}`];
    },
  },
};

function tidyRules(list: readonly Json[], isTidy: boolean): void {
  if (!isTidy) return;
  for (const rule of list.map(objectOf)) {
    if (rule['nonResourceURLs'] === undefined) continue;
    delete rule['nonResourceURLs'];
    Object.assign(rule, { apiGroups: [''], resources: ['pods'] });
  }
}
