import { agree, requestsAt, type Case, type Step } from '../case.ts';

type Fields = Readonly<Record<string, unknown>>;
const core = (plural: string) => requestsAt(`/api/v1/namespaces/$NS/${plural}`);
const maps = core('configmaps');
const secrets = core('secrets');
const services = core('services');
const accounts = core('serviceaccounts');
const deployments = requestsAt('/apis/apps/v1/namespaces/$NS/deployments');
const namespaces = requestsAt('/api/v1/namespaces');

const object =
  (apiVersion: string, kind: string) =>
  (name: string, fields: Fields = {}, metadata: Fields = {}): Fields => ({
    apiVersion,
    kind,
    metadata: { name, ...metadata },
    ...fields,
  });
const map = object('v1', 'ConfigMap');
const secret = object('v1', 'Secret');
const service = object('v1', 'Service');
const labels = { app: 'x' };
const container = { name: 'web', image: 'nginx' };
const podTemplate = (spec: Fields = {}, own: Fields = container): Fields => ({
  metadata: { labels },
  spec: { containers: [own], ...spec },
});
const deployment = (name: string, spec: Fields = {}, own: Fields = container): Fields =>
  object('apps/v1', 'Deployment')(name, {
    spec: { selector: { matchLabels: labels }, template: podTemplate({}, own), ...spec },
  });
const status = (step: Step, plural: string): Step => ({
  ...step,
  path: step.path.replace(`/${plural}/a`, `/${plural}/a/status`),
});
const port = { spec: { selector: labels, ports: [{ port: 80 }] } };
const withPod = (name: string, spec: Fields, own: Fields = container): Case =>
  agree(name, deployments.create(deployment('a', { template: podTemplate(spec, own) })));
const withContainer = (name: string, fields: Fields): Case => withPod(name, {}, { ...container, ...fields });

export const cases: readonly Case[] = [
  agree('ConfigMap: data', maps.create(map('a', { data: { a: '1' } })), maps.get('a')),
  agree('ConfigMap: without apiVersion and kind', maps.create({ metadata: { name: 'a' }, data: { a: '1' } })),
  agree('ConfigMap: empty data', maps.create(map('a', { data: {} }))),
  agree('ConfigMap: an invalid key', maps.create(map('a', { data: { 'a b': '1' } }))),
  agree('ConfigMap: a key in both', maps.create(map('a', { data: { a: '1' }, binaryData: { a: 'MQ==' } }))),
  agree(
    'ConfigMap: an unknown field, strictly',
    maps.create(map('a', { bogus: 1 }), { fieldValidation: 'Strict' }),
  ),
  agree(
    'ConfigMap: an unknown field, ignored',
    maps.create(map('a', { bogus: 1 }), { fieldValidation: 'Ignore' }),
  ),
  agree(
    'ConfigMap: an update without a resourceVersion',
    maps.create(map('a', { data: { a: '1' } })),
    maps.put('a', map('a', { data: { a: '2' } })),
  ),
  agree('ConfigMap: a stale update', maps.create(map('a')), maps.merge('a', { data: { a: '1' } }), (r) =>
    maps.put('a', { ...r[0]?.body, data: { a: '2' } }),
  ),
  agree(
    'ConfigMap: immutable',
    maps.create(map('a', { data: { a: '1' }, immutable: true })),
    maps.merge('a', { data: { a: '2' } }),
    maps.merge('a', { immutable: false }),
  ),
  agree(
    'ConfigMap: a merge patch',
    maps.create(map('a', { data: { a: '1', b: '2' } })),
    maps.merge('a', { data: { a: null } }),
  ),
  agree(
    'ConfigMap: an apply',
    maps.apply('a', map('a', { data: { a: '1', b: '2' } })),
    maps.apply('a', map('a', { data: { a: '1' } })),
  ),
  agree(
    'ConfigMap: two appliers',
    maps.apply('a', map('a', { data: { a: '1' } })),
    maps.apply('a', map('a', { data: { a: '2' } }), { fieldManager: 'two' }),
  ),
  agree('ConfigMap: deleted', maps.create(map('a')), maps.remove('a'), maps.get('a')),
  agree('ConfigMap: a list', maps.create(map('a', {}, { labels })), maps.list({ labelSelector: 'app=x' })),
  agree(
    'ConfigMap: a watch',
    maps.create(map('a', {}, { labels })),
    maps.watch(1, { labelSelector: 'app=x' }),
  ),
  agree('Secret: a type by default', secrets.create(secret('a', { data: { a: 'MQ==' } }))),
  agree('Secret: stringData', secrets.create(secret('a', { stringData: { a: 'text' } }))),
  agree(
    'Secret: stringData over data',
    secrets.create(secret('a', { data: { a: 'MQ==', b: 'MQ==' }, stringData: { a: 'text' } })),
  ),
  agree('Secret: of TLS without its keys', secrets.create(secret('a', { type: 'kubernetes.io/tls' }))),
  agree(
    'Secret: another type later',
    secrets.create(secret('a', { type: 'x' })),
    secrets.merge('a', { type: 'y' }),
  ),
  agree('Secret: an invalid key', secrets.create(secret('a', { data: { 'a b': 'MQ==' } }))),
  agree('Secret: an apply with stringData', secrets.apply('a', secret('a', { stringData: { a: 'x' } }))),
  agree(
    'ServiceAccount: created and deleted',
    accounts.create(object('v1', 'ServiceAccount')('a')),
    accounts.remove('a'),
  ),
  agree('Namespace: created', namespaces.create(object('v1', 'Namespace')('n-$NS')), namespaces.get('n-$NS')),
  agree(
    'Namespace: labels',
    namespaces.create(object('v1', 'Namespace')('n-$NS', {}, { labels: { a: 'b' } })),
    namespaces.merge('n-$NS', { metadata: { labels: { a: 'c' } } }),
  ),
  agree('Namespace: an invalid name', namespaces.create(object('v1', 'Namespace')('a.b'))),
  agree('Service: defaults', services.create(service('a', port))),
  agree(
    'Service: headless',
    services.create(
      service('a', {
        spec: {
          clusterIP: 'None',
          selector: labels,
          ports: [{ name: 'http', port: 80, targetPort: 'http' }],
        },
      }),
    ),
  ),
  agree('Service: without ports', services.create(service('a', { spec: { selector: labels } }))),
  agree(
    'Service: two ports without names',
    services.create(service('a', { spec: { ports: [{ port: 80 }, { port: 81 }] } })),
  ),
  agree(
    'Service: a port out of range',
    services.create(service('a', { spec: { ports: [{ port: 70_000, targetPort: 80 }] } })),
  ),
  agree(
    'Service: an apply, twice',
    services.apply('a', service('a', port)),
    services.apply('a', service('a', port)),
  ),
  agree(
    'Service: an apply of another port',
    services.apply('a', service('a', port)),
    services.apply('a', service('a', { spec: { selector: labels, ports: [{ port: 81 }] } })),
  ),
  agree('Service: deleted', services.create(service('a', port)), services.remove('a'), services.get('a')),
  agree(
    'Service: an update',
    services.create(service('a', port)),
    services.merge('a', { metadata: { labels } }),
  ),
  agree('Deployment: defaults', deployments.create(deployment('a')), deployments.get('a')),
  agree(
    'Deployment: an apply, twice',
    deployments.apply('a', deployment('a')),
    deployments.apply('a', deployment('a')),
  ),
  agree(
    'Deployment: an apply of replicas',
    deployments.apply('a', deployment('a', { replicas: 2 })),
    deployments.apply('a', deployment('a', { replicas: 3 })),
  ),
  agree(
    'Deployment: an apply without replicas later',
    deployments.apply('a', deployment('a', { replicas: 2 })),
    deployments.apply('a', deployment('a')),
  ),
  agree(
    'Deployment: two appliers of containers',
    deployments.apply('a', deployment('a')),
    deployments.apply('a', deployment('a', {}, { name: 'side', image: 'busybox' }), { fieldManager: 'two' }),
  ),
  agree(
    'Deployment: another image',
    deployments.apply('a', deployment('a')),
    deployments.apply('a', deployment('a', {}, { name: 'web', image: 'nginx:1.27' })),
  ),
  agree('Deployment: zero replicas', deployments.create(deployment('a', { replicas: 0 }))),
  agree('Deployment: negative replicas', deployments.create(deployment('a', { replicas: -1 }))),
  agree('Deployment: without a selector', deployments.create(deployment('a', { selector: undefined }))),
  agree(
    'Deployment: a selector of nothing in the template',
    deployments.create(deployment('a', { selector: { matchLabels: { app: 'y' } } })),
  ),
  agree(
    'Deployment: another selector later',
    deployments.create(deployment('a')),
    deployments.merge('a', {
      spec: { selector: { matchLabels: { tier: 'y' } }, template: { metadata: { labels: { tier: 'y' } } } },
    }),
  ),
  agree(
    'Deployment: the strategy Recreate',
    deployments.create(deployment('a', { strategy: { type: 'Recreate' } })),
  ),
  agree(
    'Deployment: an unknown field, strictly',
    deployments.create(deployment('a', { bogus: 1 }), { fieldValidation: 'Strict' }),
  ),
  agree(
    'Deployment: a status',
    deployments.create(deployment('a', { replicas: 0 })),
    status(deployments.merge('a', { status: { observedGeneration: 1, replicas: 1 } }), 'deployments'),
  ),
  agree(
    'Deployment: a change of the labels leaves the generation',
    deployments.create(deployment('a')),
    deployments.merge('a', { metadata: { labels: { a: 'b' } } }),
  ),
  agree(
    'Deployment: deleted',
    deployments.create(deployment('a', { replicas: 0 })),
    deployments.remove('a'),
    deployments.get('a'),
  ),
  withContainer('container: a tag', { image: 'nginx:1.27' }),
  withContainer('container: a digest', {
    image: 'nginx@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  }),
  withContainer('container: a registry with a port', { image: 'registry:5000/nginx' }),
  withContainer('container: ports', {
    ports: [{ containerPort: 80 }, { containerPort: 81, protocol: 'UDP', name: 'dns' }],
  }),
  withContainer('container: env', {
    env: [
      { name: 'A', value: '1' },
      { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
  }),
  withContainer('container: an HTTP probe', { livenessProbe: { httpGet: { port: 80 } } }),
  withContainer('container: an exec probe', {
    readinessProbe: { exec: { command: ['true'] }, periodSeconds: 5 },
  }),
  withContainer('container: limits', { resources: { limits: { cpu: '1', memory: '64Mi' } } }),
  withContainer('container: requests', { resources: { requests: { cpu: '100m' } } }),
  withContainer('container: args', { command: ['a'], args: ['b'] }),
  withContainer('container: a security context', {
    securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
  }),
  withContainer('container: without an image', { image: undefined }),
  withContainer('container: without a name', { name: undefined }),
  withContainer('container: an invalid name', { name: 'A_B' }),
  withPod('pod: a ServiceAccount', { serviceAccountName: 'x' }),
  withPod('pod: volumes', {
    volumes: [
      { name: 'a', configMap: { name: 'x' } },
      { name: 'b', secret: { secretName: 'x' } },
      { name: 'c', emptyDir: {} },
    ],
  }),
  withPod('pod: no containers', { containers: [] }),
  withPod('pod: two containers of one name', { containers: [container, container] }),
  withPod('pod: an init container', { initContainers: [{ name: 'init', image: 'busybox' }] }),
  withPod('pod: a security context', { securityContext: { runAsNonRoot: true } }),
];
