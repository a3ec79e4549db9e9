// Every value of a chart changes exactly the fields that it is about.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderKustomization } from '../../../src/kubernetes/kustomize/index.ts';
import { parseYaml, type ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import { renderChart } from '../../../src/project/chart/index.ts';
import { ChartFolder, helms, missing } from './helm.ts';

type Json = Readonly<Record<string, unknown>>;

/** A project with all that a chart may have: webhooks, metrics, alerts, a dashboard. */
const project = join(import.meta.dirname, '../../../examples/etcd-operator');
const release = { name: 'etcd-operator', namespace: 'etcd-operator-system' };
const manager = 'Deployment etcd-operator-controller-manager';
const pod = `${manager} spec.template.spec`;
const container = `${pod}.containers.0`;
/** Of `helm test`. */
const testPod = 'Pod etcd-operator-test spec';

/** Changes of a value, and the fields or whole objects that change with it: `Kind name`, and the path of the field. */
const changes: Readonly<
  Record<string, { readonly values: Json; readonly changed: readonly string[] | 'names' }>
> = {
  nameOverride: { values: { nameOverride: 'db' }, changed: 'names' },
  fullnameOverride: { values: { fullnameOverride: 'db' }, changed: 'names' },
  'image.repository': {
    values: { image: { repository: 'example.com/etcd' } },
    changed: [`${container}.image`, `${container}.env.3.value`, `${testPod}.containers.0.image`],
  },
  'image.tag': {
    values: { image: { tag: 'v2' } },
    changed: [`${container}.image`, `${container}.env.3.value`, `${testPod}.containers.0.image`],
  },
  'image.digest': {
    values: { image: { digest: `sha256:${'0'.repeat(64)}` } },
    changed: [`${container}.image`, `${container}.env.3.value`, `${testPod}.containers.0.image`],
  },
  'image.pullPolicy': {
    values: { image: { pullPolicy: 'Always' } },
    changed: [`${container}.imagePullPolicy`],
  },
  imagePullSecrets: {
    values: { imagePullSecrets: [{ name: 'a' }] },
    changed: [`${pod}.imagePullSecrets`, `${testPod}.imagePullSecrets`],
  },
  replicas: { values: { replicas: 2 }, changed: [`${manager} spec.replicas`] },
  resources: {
    values: { resources: { limits: { memory: '1Gi' } } },
    changed: [`${container}.resources.limits.memory`],
  },
  nodeOptions: { values: { nodeOptions: '--x' }, changed: [`${container}.env.4.value`] },
  nodeSelector: { values: { nodeSelector: { a: 'true' } }, changed: [`${pod}.nodeSelector`] },
  tolerations: { values: { tolerations: [{ operator: 'Exists' }] }, changed: [`${pod}.tolerations`] },
  affinity: { values: { affinity: { podAntiAffinity: {} } }, changed: [`${pod}.affinity`] },
  topologySpreadConstraints: {
    values: {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' }],
    },
    changed: [`${pod}.topologySpreadConstraints`],
  },
  priorityClassName: { values: { priorityClassName: 'high' }, changed: [`${pod}.priorityClassName`] },
  terminationGracePeriodSeconds: {
    values: { terminationGracePeriodSeconds: 7 },
    changed: [`${pod}.terminationGracePeriodSeconds`],
  },
  podAnnotations: {
    values: { podAnnotations: { a: 'b' } },
    changed: [`${manager} spec.template.metadata.annotations.a`],
  },
  podLabels: { values: { podLabels: { a: 'b' } }, changed: [`${manager} spec.template.metadata.labels.a`] },
  podSecurityContext: {
    values: { podSecurityContext: { runAsUser: 7 } },
    changed: [`${pod}.securityContext.runAsUser`, `${testPod}.securityContext.runAsUser`],
  },
  securityContext: {
    values: { securityContext: { runAsUser: 7 } },
    changed: [`${container}.securityContext.runAsUser`, `${testPod}.containers.0.securityContext.runAsUser`],
  },
  extraArgs: { values: { extraArgs: ['--zap'] }, changed: [`${container}.args.3`] },
  extraEnv: { values: { extraEnv: [{ name: 'A', value: 'b' }] }, changed: [`${container}.env.6`] },
  watchNamespaces: {
    values: { watchNamespaces: ['a', 'b'] },
    changed: [
      `${container}.env.6`,
      'ValidatingWebhookConfiguration etcd-operator-validating-webhook-configuration webhooks.0.namespaceSelector',
    ],
  },
  'leaderElection.enabled': {
    values: { leaderElection: { enabled: false } },
    changed: [
      `${container}.args`,
      'Role etcd-operator-leader-election-role',
      'RoleBinding etcd-operator-leader-election-rolebinding',
    ],
  },
  'metrics.enabled': {
    values: { metrics: { enabled: false } },
    changed: [
      `${container}.args`,
      'ClusterRole etcd-operator-metrics-auth-role',
      'ClusterRole etcd-operator-metrics-reader',
      'ClusterRoleBinding etcd-operator-metrics-auth-rolebinding',
      'Service etcd-operator-controller-manager-metrics-service',
    ],
  },
  'networkPolicy.enabled': {
    values: { networkPolicy: { enabled: false } },
    changed: [
      'NetworkPolicy etcd-operator-allow-metrics-traffic',
      'NetworkPolicy etcd-operator-allow-webhook-traffic',
      `${testPod}.containers.0.args.0`,
      `${testPod}.containers.0.args.1`,
    ],
  },
  'monitoring.enabled': {
    values: { monitoring: { enabled: true } },
    changed: [
      'PodMonitor etcd-operator-members',
      'PrometheusRule etcd-operator-controller-manager-alerts',
      'ServiceMonitor etcd-operator-controller-manager-metrics-monitor',
    ],
  },
  'monitoring.dashboard': {
    values: { monitoring: { dashboard: true } },
    changed: ['ConfigMap etcd-operator-grafana-dashboard'],
  },
  'serviceAccount.create': {
    values: { serviceAccount: { create: false } },
    changed: [
      `${pod}.serviceAccountName`,
      'ServiceAccount etcd-operator-controller-manager',
      ...bindingSubjects(),
    ],
  },
  'serviceAccount.name': {
    values: { serviceAccount: { name: 'db' } },
    changed: [
      `${pod}.serviceAccountName`,
      'ServiceAccount etcd-operator-controller-manager',
      'ServiceAccount db',
      ...bindingSubjects(),
    ],
  },
  'serviceAccount.annotations': {
    values: { serviceAccount: { annotations: { a: 'b' } } },
    changed: ['ServiceAccount etcd-operator-controller-manager metadata.annotations'],
  },
  'rbac.create': {
    values: { rbac: { create: false } },
    changed: [
      ...userRoles(),
      'ClusterRole etcd-operator-manager-role',
      'ClusterRole etcd-operator-metrics-auth-role',
      'ClusterRole etcd-operator-metrics-reader',
      'ClusterRole etcd-operator-webhook-ca-role',
      'ClusterRoleBinding etcd-operator-manager-rolebinding',
      'ClusterRoleBinding etcd-operator-metrics-auth-rolebinding',
      'ClusterRoleBinding etcd-operator-webhook-ca-rolebinding',
      'Role etcd-operator-leader-election-role',
      'Role etcd-operator-webhook-certificate-role',
      'RoleBinding etcd-operator-leader-election-rolebinding',
      'RoleBinding etcd-operator-webhook-certificate-rolebinding',
    ],
  },
  'rbac.userRoles': { values: { rbac: { userRoles: false } }, changed: userRoles() },
  'webhooks.certProvider': {
    values: { webhooks: { certProvider: 'cert-manager' } },
    changed: [
      `${container}.args.3`,
      `${container}.env`,
      `${container}.volumeMounts`,
      `${pod}.volumes`,
      'Certificate etcd-operator-serving-cert',
      'ClusterRole etcd-operator-webhook-ca-role',
      'ClusterRoleBinding etcd-operator-webhook-ca-rolebinding',
      'Issuer etcd-operator-selfsigned-issuer',
      'Role etcd-operator-webhook-certificate-role',
      'RoleBinding etcd-operator-webhook-certificate-rolebinding',
      'ValidatingWebhookConfiguration etcd-operator-validating-webhook-configuration metadata.annotations',
    ],
  },
  'crds.install': { values: { crds: { install: false } }, changed: definitions() },
  'crds.keep': {
    values: { crds: { keep: false } },
    changed: definitions().map((name) => `${name} metadata.annotations`),
  },
};

function spread(maxSkew: number): Json {
  return { maxSkew, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' };
}

function definitions(): readonly string[] {
  const plurals = ['etcdbackups', 'etcdclusters', 'etcdrestores'];
  return plurals.map((plural) => `CustomResourceDefinition ${plural}.etcd.database.coreos.com`);
}

function userRoles(): readonly string[] {
  return ['etcdbackup', 'etcdcluster', 'etcdrestore'].flatMap((kind) =>
    ['admin', 'editor', 'viewer'].map((access) => `ClusterRole etcd-operator-etcd-${kind}-${access}-role`),
  );
}

function bindingSubjects(): readonly string[] {
  const bindings = [
    'ClusterRoleBinding etcd-operator-manager-rolebinding',
    'ClusterRoleBinding etcd-operator-metrics-auth-rolebinding',
    'ClusterRoleBinding etcd-operator-webhook-ca-rolebinding',
    'RoleBinding etcd-operator-leader-election-rolebinding',
    'RoleBinding etcd-operator-webhook-certificate-rolebinding',
  ];
  return bindings.map((binding) => `${binding} subjects.0.name`);
}

/** Returns the paths at which two values differ: of the smallest parts that both have. */
function differences(a: unknown, b: unknown, path = ''): readonly string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const areNested = [a, b].every((value) => typeof value === 'object' && value !== null);
  if (!areNested) return [path];
  // A list that loses items in its middle differs as a whole.
  if (Array.isArray(a) && Array.isArray(b) && b.length < a.length) return [path];
  const names = new Set([...Object.keys(a as object), ...Object.keys(b as object)]);
  return [...names].flatMap((name) =>
    differences((a as Json)[name], (b as Json)[name], path === '' ? name : `${path}.${name}`),
  );
}

function byName(objects: readonly ManifestObject[]): ReadonlyMap<string, ManifestObject> {
  return new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

function changedBetween(
  before: readonly ManifestObject[],
  after: readonly ManifestObject[],
): readonly string[] {
  const [a, b] = [byName(before), byName(after)];
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].flatMap((name) => {
    const [one, other] = [a.get(name), b.get(name)];
    if (one === undefined || other === undefined) return [name];
    return differences(one, other).map((path) => `${name} ${path}`);
  });
}

describe.skipIf(missing !== undefined)('the values of a chart', () => {
  let chart: ChartFolder;
  let defaults: readonly ManifestObject[];

  beforeAll(async () => {
    const placed = await renderKustomization('config/default', { cwd: project });
    const objects = placed.map(({ object }) => object);
    const about = { version: '0.1.0', description: 'An operator', root: undefined };
    chart = new ChartFolder(await renderChart({ name: 'etcd-operator', objects, ...about }));
    defaults = chart.template('helm4', release);
  });
  afterAll(() => {
    chart[Symbol.dispose]();
  });

  test('are all in the table', () => {
    const values = parseYaml(readFileSync(join(chart.chart, 'values.yaml'), 'utf8'), 'values.yaml')
      .value as Json;
    const groups = [
      'image',
      'leaderElection',
      'metrics',
      'webhooks',
      'networkPolicy',
      'monitoring',
      'serviceAccount',
      'rbac',
      'crds',
    ];
    const paths = Object.entries(values).flatMap(([name, value]) =>
      groups.includes(name) ? Object.keys(value as Json).map((key) => `${name}.${key}`) : [name],
    );
    expect(Object.keys(changes).sort()).toEqual(paths.sort());
  });

  test.each(Object.entries(changes))('%s changes what it is about', (_value, { values, changed }) => {
    const after = chart.template('helm4', { ...release, values });
    const found = changedBetween(defaults, after);
    if (changed === 'names') {
      expect(after).toHaveLength(defaults.length);
      expect(found.length).toBeGreaterThan(20);
    } else expect([...found].sort()).toEqual([...changed].sort());
  });

  test.each([
    ['an unknown value', { replica: 2 }, 'replica'],
    ['a value of another type', { replicas: '2' }, 'replicas'],
    ['a tag that YAML reads as a number', { image: { tag: 1.1 } }, 'tag'],
    ['a name that Kubernetes refuses', { fullnameOverride: 'My Operator' }, 'fullnameOverride'],
    ['a label that Kubernetes refuses', { podLabels: { team: 'web & more' } }, 'podLabels'],
    ['the name of a label that Kubernetes refuses', { podLabels: { 'a b': 'c' } }, 'podLabels'],
    ['an unknown field of Kubernetes', { resources: { limit: { memory: '1Gi' } } }, 'limit'],
    ['an unknown quantity', { resources: { limits: { memory: '1 GB' } } }, 'memory'],
    ['an unknown provider of certificates', { webhooks: { certProvider: 'letsencrypt' } }, 'certProvider'],
    ['an unknown operator', { tolerations: [{ operator: 'Any' }] }, 'operator'],
    ['a variable without a name', { extraEnv: [{ value: 'x' }] }, 'name'],
    ['a label of the chart', { podLabels: { 'app.kubernetes.io/instance': 'x' } }, 'podLabels'],
    ['a variable of the chart', { extraEnv: [{ name: 'NODE_OPTIONS', value: 'x' }] }, 'extraEnv'],
    [
      'a variable twice',
      { extraEnv: [{ name: 'A' }, { name: 'A' }] },
      'extraEnv[1]: expected name only once, got A again',
    ],
    ['a secret twice', { imagePullSecrets: [{ name: 'a' }, { name: 'a' }] }, 'imagePullSecrets[1]'],
    [
      'a kernel parameter twice',
      { podSecurityContext: { sysctls: [1, 2].map((value) => ({ name: 'a', value: String(value) })) } },
      'podSecurityContext.sysctls[1]',
    ],
    ['a constraint twice', { topologySpreadConstraints: [1, 2].map(spread) }, 'topologySpreadConstraints[1]'],
    [
      'a request above its limit',
      { resources: { requests: { memory: '2Gi' } } },
      'resources.requests.memory',
    ],
    [
      'a request without its limit',
      { resources: { requests: { 'example.com/gpu': 1 } } },
      'resources.limits.example.com/gpu',
    ],
    [
      'a request that is not its limit',
      { resources: { requests: { 'example.com/gpu': 1 }, limits: { 'example.com/gpu': 2 } } },
      'resources.requests.example.com/gpu',
    ],
    [
      'the resource of a quota',
      { resources: { limits: { 'requests.example.com/gpu': 1 } } },
      'resources.requests.example.com/gpu',
    ],
    ['a name that Services cannot have', { fullnameOverride: '1st' }, 'fullnameOverride'],
  ])('refuse %s, and say where', (_title, values, where) => {
    for (const helm of helms) expect(() => chart.template(helm, { ...release, values })).toThrow(where);
  });

  test('accept amounts of the same size, however they are written', () => {
    for (const [request, limit] of [
      ['1000m', 1],
      ['1Gi', '1073741824'],
      ['0.1', '100m'],
      ['1e3', '1k'],
      [1.5, '1500m'],
      ['1E', '1000P'],
    ]) {
      const resources = { limits: { cpu: limit, memory: null }, requests: { cpu: request, memory: null } };
      expect(() => chart.template('helm4', { ...release, values: { resources } })).not.toThrow();
    }
  });

  test('are removed by null', () => {
    const values = { resources: null, podSecurityContext: null };
    for (const helm of helms) expect(() => chart.template(helm, { ...release, values })).not.toThrow();
  });

  test('refuse the name of a release that Services cannot have', () => {
    expect(() => chart.template('helm4', { ...release, name: '1st' })).toThrow(
      'fullnameOverride: expected a name with a letter first',
    );
  });
});
