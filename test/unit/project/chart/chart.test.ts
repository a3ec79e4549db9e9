// Charts of what people change in config/default: a release has it, and every value keeps its meaning.
import { describe, expect, test } from 'vitest';
import type { ManifestObject } from '../../../../src/kubernetes/yaml/index.ts';
import { renderChart } from '../../../../src/project/chart/index.ts';

type Json = Readonly<Record<string, unknown>>;

const labels = { 'control-plane': 'controller-manager', 'app.kubernetes.io/name': 'web' };
const image = 'example.com/web:v1';

interface Changes {
  readonly name?: string;
  readonly namespace?: string;
  readonly spec?: Json;
  readonly pod?: Json;
  readonly container?: Json;
}

function deployment(changes: Changes = {}): ManifestObject {
  const { name = 'web-controller-manager', namespace = 'web-system', spec, pod, container } = changes;
  const manager = { name: 'manager', image, args: ['--leader-elect'], ...container };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      ...{ replicas: 1, selector: { matchLabels: labels }, ...spec },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: 'web-controller-manager', ...pod, containers: [manager] },
      },
    },
  };
}

function object(kind: string, name: string, more: Json = {}, apiVersion = 'v1'): ManifestObject {
  return { apiVersion, kind, metadata: { name, namespace: 'web-system' }, ...more };
}

const account = object('ServiceAccount', 'web-controller-manager');
const rbac = 'rbac.authorization.k8s.io/v1';

async function chartOf(...objects: readonly ManifestObject[]): Promise<(path: string) => string> {
  const files = await renderChart({
    ...{ name: 'web', version: '0.1.0', description: 'An operator', root: undefined },
    objects,
  });
  return (path) => {
    const file = files.find((each) => each.path === path);
    if (file === undefined) throw new Error(`${path} is none of ${files.map((each) => each.path).join()}`);
    return file.content;
  };
}

const managerFile = 'templates/manager/controller-manager.yaml';
const fullname = '{{ include "web.fullname" . }}';

describe('a chart of', () => {
  test('long names cuts none off that deploy has', async () => {
    const long = object('ClusterRole', `web-${'x'.repeat(200)}`, { rules: [] }, rbac);
    const role = await chartOf(deployment(), long);
    expect(role('templates/_helpers.tpl')).toContain('gt (len $full) 28 }}');
    const service = await chartOf(deployment(), object('Service', `web-${'x'.repeat(58)}`));
    expect(service('templates/_helpers.tpl')).toContain('gt (len $full) 8 }}');
    expect(service('templates/_helpers.tpl')).toContain('($full | trunc 1 |');
  });

  test('names without a prefix keeps them, and one with an ending finds the prefix', async () => {
    const plain = await chartOf(
      deployment({ name: 'controller-manager', pod: { serviceAccountName: 'controller-manager' } }),
      object('ServiceAccount', 'controller-manager'),
      object('ConfigMap', 'controller-manager-settings'),
    );
    expect(plain('templates/more/controller-manager-settings.yaml')).toContain(
      '  name: controller-manager-settings\n',
    );
    expect(plain('templates/_helpers.tpl')).toContain('{{ else }}controller-manager{{ end }}');
    expect(plain('templates/NOTES.txt')).toContain('deployment/controller-manager\n');
    const other = await chartOf(
      deployment({ name: 'other-controller-manager-v2' }),
      object('ConfigMap', 'other-settings-v2'),
    );
    expect(other('templates/more/settings-v2.yaml')).toContain(`  name: ${fullname}-settings-v2\n`);
    expect(other('templates/NOTES.txt')).toContain(`deployment/${fullname}-controller-manager-v2\n`);
  });

  test('names with actions of templates runs none of them', async () => {
    const action = '{{ fail "read" }}';
    const quoted = 'web-high" }}{{ fail "read';
    const chart = await chartOf(
      deployment({
        name: `web-controller-manager${action}`,
        pod: { serviceAccountName: `web-${action}`, priorityClassName: quoted },
      }),
      object('ServiceAccount', `web-${action}`),
      object('PriorityClass', quoted, { value: 1 }, 'scheduling.k8s.io/v1'),
      object('Service', `web-${action}`, { spec: { selector: labels, ports: [{ port: 80 }] } }),
    );
    const printed = '{{ "{{" }} fail "read" }}';
    expect(chart('templates/NOTES.txt')).toContain(`${fullname}-controller-manager${printed}\n`);
    expect(chart('templates/_helpers.tpl')).toContain(`{{ else }}${fullname}-${printed}{{ end }}`);
    const file = 'templates/manager/controller-manager-fail-read-.yaml';
    expect(chart(file)).toContain(
      'default (print (include "web.fullname" .) "-high\\" }}{{ fail \\"read") .Values.priorityClassName',
    );
    expect(() => chart('templates/tests/services.yaml')).toThrow('is none of');
  });

  test('several namespaces moves that of the operator alone', async () => {
    const role = object('Role', 'web-reader', { rules: [] }, rbac);
    const chart = await chartOf(
      deployment(),
      { ...role, metadata: { ...role.metadata, namespace: 'web-tenants' } },
      object('Namespace', 'web-system'),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web-tenants' } },
    );
    expect(chart('templates/rbac/reader.yaml')).toContain('  namespace: web-tenants\n');
    expect(chart('templates/more/tenants.yaml')).toContain('  name: web-tenants\n');
    expect(() => chart('templates/more/system.yaml')).toThrow('is none of');
  });

  test('an object that has the name of the namespace gives each its own', async () => {
    const chart = await chartOf(deployment(), object('ConfigMap', 'web-system'));
    expect(chart('templates/more/system.yaml')).toContain(`  name: ${fullname}-system\n`);
    expect(chart('templates/more/system.yaml')).toContain('  namespace: {{ .Release.Namespace | quote }}\n');
  });

  test('pull secrets has them as a value', async () => {
    const chart = await chartOf(deployment({ pod: { imagePullSecrets: [{ name: 'registry' }] } }));
    expect(chart('values.yaml')).toContain('imagePullSecrets:\n- name: registry\n');
  });

  test('a PriorityClass and pull secrets of its own names them as the release does', async () => {
    const chart = await chartOf(
      deployment({
        pod: {
          priorityClassName: 'web-high',
          imagePullSecrets: [{ name: 'web-registry' }, { name: 'other' }],
        },
      }),
      object('PriorityClass', 'web-high', { value: 1 }, 'scheduling.k8s.io/v1'),
      object('Secret', 'web-registry'),
    );
    expect(chart('values.yaml')).toContain('priorityClassName: ""\n');
    expect(chart('values.yaml')).toContain('imagePullSecrets:\n- name: other\n');
    expect(chart(managerFile)).toContain(
      '      priorityClassName: {{ default (print (include "web.fullname" .) "-high") .Values.priorityClassName | quote }}\n',
    );
    expect(chart(managerFile)).toContain(
      [
        '      imagePullSecrets:',
        `      - name: ${fullname}-registry`,
        '      {{- with .Values.imagePullSecrets }}\n',
      ].join('\n'),
    );
  });

  test('a Deployment that an autoscaler scales has no number of replicas', async () => {
    const chart = await chartOf(deployment({ spec: { replicas: undefined } }));
    expect(chart('values.yaml')).toContain('\n# replicas: 1\n');
    expect(chart(managerFile)).toContain(
      '  {{- if not (kindIs "invalid" .Values.replicas) }}\n  replicas: {{ .Values.replicas }}\n  {{- end }}\n',
    );
  });

  test('variables keeps their order, as one may mention another', async () => {
    const env = [
      { name: 'WATCH_NAMESPACE', value: 'a, b' },
      { name: 'FILTER', value: '$(WATCH_NAMESPACE)' },
    ];
    const chart = await chartOf(deployment({ container: { env } }));
    expect(chart('values.yaml')).toContain('watchNamespaces:\n- a\n- b\n');
    expect(chart(managerFile)).toContain(
      [
        '        - name: WATCH_NAMESPACE',
        '          value: {{ join "," .Values.watchNamespaces | quote }}',
        '        - name: FILTER\n',
      ].join('\n'),
    );
  });

  test('a Deployment without NODE_OPTIONS, or one that reads it elsewhere, sets it by its value', async () => {
    const given = [
      '        {{- if .Values.nodeOptions }}',
      '        - name: NODE_OPTIONS',
      '          value: {{ .Values.nodeOptions | quote }}',
      '        {{- end }}\n',
    ].join('\n');
    const without = (await chartOf(deployment()))(managerFile);
    expect(without).toContain(given);
    expect(without).toContain(
      '        {{- if or (.Values.nodeOptions) (.Values.watchNamespaces) (.Values.extraEnv) }}\n        env:\n',
    );
    const valueFrom = { configMapKeyRef: { name: 'node', key: 'options' } };
    const chart = await chartOf(deployment({ container: { env: [{ name: 'NODE_OPTIONS', valueFrom }] } }));
    expect(chart(managerFile)).toContain(
      `${given}        {{- if not .Values.nodeOptions }}\n        - name: NODE_OPTIONS\n          valueFrom:\n`,
    );
  });

  test('an operator without leader election can switch it on', async () => {
    const rules = [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get'] }];
    const role = object('Role', 'web-leader-election-role', { rules }, rbac);
    const chart = await chartOf(deployment({ container: { args: ['--leader-elect=false'] } }), role);
    expect(chart('values.yaml')).toContain('leaderElection:\n  enabled: false\n');
    expect(chart(managerFile)).toContain(
      [
        '        {{- if not .Values.leaderElection.enabled }}',
        '        - --leader-elect=false',
        '        {{- end }}',
        '        {{- if .Values.leaderElection.enabled }}',
        '        - --leader-elect',
        '        {{- end }}\n',
      ].join('\n'),
    );
    expect(chart('templates/rbac/leader-election-role.yaml')).not.toContain('leaderElection');
  });

  test('an operator that serves no metrics has no value for them', async () => {
    const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
    const chart = await chartOf(
      deployment({ container: { args: ['--metrics-bind-address=0'] } }),
      object('ClusterRole', 'web-metrics-reader', { rules }, rbac),
    );
    for (const path of ['values.yaml', managerFile, 'templates/rbac/metrics-reader.yaml'])
      expect(chart(path)).not.toMatch(/metrics\.enabled|^metrics:/m);
  });

  test('an account that is not the project’s names it', async () => {
    const chart = await chartOf(deployment({ pod: { serviceAccountName: 'existing' } }));
    expect(chart('values.yaml')).toMatch(/^ {2}create: false\n.*\n {2}name: existing\n/m);
  });

  test('other workloads gives them the image and the account of the operator', async () => {
    const job = object(
      'Job',
      'web-job',
      {
        spec: {
          template: {
            spec: {
              serviceAccountName: 'web-controller-manager',
              initContainers: [{ name: 'a', image: 'example.com/other:v1' }],
              containers: [{ name: 'b', image }],
            },
          },
        },
      },
      'batch/v1',
    );
    const pod = { initContainers: [{ name: 'prepare', image }] };
    const chart = await chartOf(deployment({ pod }), account, job);
    expect(chart('templates/more/job.yaml')).toContain(
      '      - image: {{ include "web.image" . | quote }}\n',
    );
    expect(chart('templates/more/job.yaml')).toContain('      - image: example.com/other:v1\n');
    expect(chart('templates/more/job.yaml')).toContain(
      '      serviceAccountName: {{ include "web.serviceAccountName" . | quote }}\n',
    );
    expect(chart(managerFile)).toContain(
      '      initContainers:\n      - image: {{ include "web.image" . | quote }}\n        name: prepare\n',
    );
  });

  test('budgets and monitors of Pods means those of the release', async () => {
    const selector = { matchLabels: { 'control-plane': 'controller-manager' } };
    const chart = await chartOf(
      deployment(),
      object('PodDisruptionBudget', 'web-budget', { spec: { maxUnavailable: 1, selector } }, 'policy/v1'),
      object('PodMonitor', 'web-pods', { spec: { selector } }, 'monitoring.coreos.com/v1'),
    );
    for (const path of ['templates/more/budget.yaml', 'templates/monitoring/pods.yaml'])
      expect(chart(path)).toContain(
        'matchLabels:\n      app.kubernetes.io/instance: {{ .Release.Name | quote }}\n',
      );
  });

  test('labels keeps a name that selectors may look for, and has those of the release once', async () => {
    const service = object('Service', 'web-dashboard', { spec: { ports: [{ port: 80 }] } });
    const own = { 'app.kubernetes.io/name': 'dashboard', 'app.kubernetes.io/instance': 'prod' };
    const chart = await chartOf(deployment(), { ...service, metadata: { ...service.metadata, labels: own } });
    expect(chart('templates/network/dashboard.yaml')).toContain(
      '  labels:\n    app.kubernetes.io/name: dashboard\n    {{- include "web.releaseLabels" . | nindent 4 }}\n',
    );
  });

  test('several Services tests those that reach the operator by TCP', async () => {
    const selector = { 'control-plane': 'controller-manager' };
    const chart = await chartOf(
      deployment(),
      object('Service', 'web-udp', { spec: { selector, ports: [{ port: 53, protocol: 'UDP' }] } }),
      object('Service', 'web-external', { spec: { type: 'ExternalName', externalName: 'example.com' } }),
      object('Service', 'web-other', { spec: { selector: { app: 'other' }, ports: [{ port: 80 }] } }),
      object('Service', 'web-own', { spec: { selector, ports: [{ port: 443 }] } }),
    );
    expect(chart('templates/tests/services.yaml').match(/^ +- \{\{.*:\d+$/gm)).toEqual([
      `        - ${fullname}-own:443`,
    ]);
  });

  test('several Deployments is about that of the operator', async () => {
    const chart = await chartOf(deployment({ name: 'web-agent' }), deployment({ spec: { replicas: 3 } }));
    expect(chart('values.yaml')).toContain('replicas: 3\n');
  });

  test('webhooks adds nothing for the provider that config/default has', async () => {
    const webhooks = [
      { name: 'a', clientConfig: { service: { name: 'web-webhook-service', namespace: 'web-system' } } },
    ];
    const chart = await chartOf(
      deployment(),
      object('Service', 'web-webhook-service', { spec: { selector: labels, ports: [{ port: 443 }] } }),
      object(
        'ValidatingWebhookConfiguration',
        'web-webhooks',
        { webhooks },
        'admissionregistration.k8s.io/v1',
      ),
      object('Certificate', 'web-serving-cert', { spec: { secretName: 'cert' } }, 'cert-manager.io/v1'),
    );
    const condition = (provider: string): string => `if eq .Values.webhooks.certProvider "${provider}" }}`;
    expect(chart(managerFile)).toContain(`{{- ${condition('self-signed')}\n        - name: POD_NAMESPACE\n`);
    expect(chart(managerFile)).not.toContain(condition('cert-manager'));
  });

  test('a condition of the chart that depends on it has a value for it', async () => {
    const chart = await chartOf(deployment());
    expect(JSON.parse(chart('values.schema.json'))).toHaveProperty('properties.enabled.type', 'boolean');
  });

  test('a field that its schema does not know accepts it', async () => {
    const properties = async (pod: Json): Promise<Json> => {
      const chart = await chartOf(deployment({ pod }));
      return (JSON.parse(chart('values.schema.json')) as { readonly properties: Json }).properties;
    };
    const windows = { securityContext: { windowsOptions: { runAsUserName: 'web' } } };
    expect((await properties(windows))['podSecurityContext']).toEqual({
      ...{ type: 'object', description: 'PodSecurityContext of Kubernetes' },
    });
    const usual = { securityContext: { runAsNonRoot: true } };
    expect((await properties(usual))['podSecurityContext']).toHaveProperty('additionalProperties', false);
  });
});
